// Python in a worker: the page stays awake while it computes, and may end it.
let latest = 0;
const driver = load();

onmessage = async ({ data }) => {
  latest = data.id;
  try {
    const { answer } = await driver;
    for (const step of ["findings", "usage"]) {
      await new Promise((resume) => setTimeout(resume)); // Newer text may be waiting.
      if (latest !== data.id) return;
      postMessage({ begins: true });
      postMessage({ id: data.id, step, ...JSON.parse(answer(step, JSON.stringify(data))) });
    }
  } catch (error) {
    postMessage({ id: data.id, failure: String(error) });
  }
};

async function load() {
  const { loadPyodide } = await import("./python/pyodide.mjs");
  const packages = fetch(new URL("python/packages.zip", import.meta.url));
  const python = await loadPyodide({ indexURL: new URL("python/", import.meta.url).href });
  python.unpackArchive(await (await packages).arrayBuffer(), "zip", { extractDir: "/packages" });
  python.runPython("import sys; sys.path.insert(0, '/packages')");
  return python.pyimport("driver");
}
