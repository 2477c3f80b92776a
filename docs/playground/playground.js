// The page: text → files → worker → findings and usage. What comes from manifests is shown as text, never as HTML.
const PAUSE = 250; // milliseconds without a key until the text is judged
const PATIENCE = 60_000; // milliseconds until a run is given up; there are no signals that could end it from within
const MOST_TEXT = 2_000_000; // characters
const MOST_LINK = 32_000; // characters: programs that pass links on cut longer ones
const HEADER = /^# file: *(\S.*?) *$/;

const byId = (id) => document.getElementById(id);
const editor = byId("manifests");
const example = editor.value;
let files = new Map(); // name → its text, and the line of the editor before its first
let worker = null;
let asked = 0;
let pause = 0;
let patience = 0;

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  Object.assign(made, attributes);
  made.append(...children);
  return made;
}

function notice(text) {
  byId("notice").textContent = text;
}

function filesOf(text) {
  const found = new Map();
  let lines = [];
  let start = 0;
  let name = "manifests.yaml";
  const keep = () => {
    if (lines.join("").trim()) found.set(name, { start, text: `${lines.join("\n")}\n` });
  };
  text.replace(/\n$/, "").split("\n").forEach((line, index) => {
    const header = HEADER.exec(line);
    if (!header) return lines.push(line);
    keep();
    [name, lines, start] = [header[1], [], index + 1];
  });
  keep();
  return found;
}

function startWorker() {
  worker?.terminate();
  // A worker made from a blob keeps to the policy of this page. One made from a file would have no policy.
  const source = `import ${JSON.stringify(new URL("worker.js", location).href)};`;
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  worker = new Worker(address, { type: "module" });
  worker.onmessage = ({ data }) => receive(data);
  worker.onerror = () => giveUp("This page needs a web server and a browser that runs WebAssembly.");
}

function judge() {
  clearTimeout(pause);
  asked += 1; // What is still computed for an older text is not shown.
  const names = editor.value.split("\n").map((line) => HEADER.exec(line)?.[1]).filter(Boolean);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) return giveUp(`Two files are named ${twice}.`);
  if (editor.value.length > MOST_TEXT) return giveUp(`This page judges up to ${MOST_TEXT} characters: use the command line.`);
  files = filesOf(editor.value);
  if (!files.size) return giveUp("There is nothing to judge.");
  const texts = Object.fromEntries([...files].map(([name, file]) => [name, file.text]));
  const columns = columnsOf(byId("usage"));
  byId("usage").dataset.columns = columns;
  worker.postMessage({ id: asked, files: texts, columns });
  byId("findings").setAttribute("aria-busy", "true");
}

function columnsOf(block) {
  const ruler = element("span", { textContent: "0".repeat(50) });
  block.append(ruler);
  const width = ruler.getBoundingClientRect().width / 50;
  ruler.remove();
  return Math.max(40, Math.floor((block.clientWidth - 16) / width));
}

function giveUp(text) {
  show({ findings: [], skipped: [] }, text);
}

function receive(answer) {
  clearTimeout(patience);
  if (answer.begins) {
    patience = setTimeout(() => {
      startWorker();
      giveUp("This takes too long here, and was given up: use the command line.");
    }, PATIENCE);
  }
  if (answer.id !== asked) return;
  if (answer.failure) {
    startWorker();
    const unbuilt = /dynamically imported module/.test(answer.failure);
    giveUp(unbuilt ? "This copy of the page has no Python: .ci/make-playground adds it." : `Python failed: ${answer.failure}`);
  } else if (answer.step === "usage") {
    byId("usage").textContent = answer.output || answer.messages;
    document.documentElement.dataset.judged = asked;
    byId("version").textContent = `quotalint ${answer.version}`;
    keepOffline();
  } else if (answer.output) {
    const report = JSON.parse(answer.output);
    show(report, verdictOf(report));
  } else {
    show({ findings: [], skipped: [] }, answer.messages);
  }
}

function verdictOf({ summary, verdict }) {
  const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
  const found = ["error", "warning"].filter((severity) => summary.findings[severity]).map((severity) => count(summary.findings[severity], severity));
  if (summary.findings.info) found.push(`${summary.findings.info} info`);
  if (summary.suppressed) found.push(`${summary.suppressed} suppressed`);
  const size = `${count(summary.files, "file")}, ${count(summary.namespaces, "namespace")}, ${count(summary.quotas, "quota")}`;
  return `${found.join(", ") || "No findings"} (${size}). Verdict: ${verdict}.`;
}

function show(report, verdict) {
  byId("findings").setAttribute("aria-busy", "false");
  byId("findings").replaceChildren(...report.findings.filter((finding) => !finding.suppressed).map(itemOf));
  byId("skipped").replaceChildren(...report.skipped.map((skipped) => element("li", {}, `${skipped.file}: ${skipped.reason}`)));
  byId("skipped-part").hidden = !report.skipped.length;
  byId("verdict").textContent = verdict;
  byId("usage").textContent = "";
}

function itemOf(finding) {
  const rule = `${finding.rule} ${finding.name}`;
  const page = /^QL\d+$/.test(finding.rule) ? element("a", { href: `../rules/${finding.rule}.html`, target: "_blank", textContent: rule }) : rule;
  const item = element("li", { className: finding.severity });
  item.append(element("p", {}, placeOf(finding), " ", element("b", {}, finding.severity), " ", page));
  item.append(element("p", {}, finding.message));
  const details = finding.related.map((related) => element("li", {}, `${related.label} ${related.message} `, placeOf(related)));
  details.push(...finding.notes.map((note) => element("li", {}, note)));
  if (details.length) item.append(element("ul", {}, ...details));
  if (finding.help) item.append(element("p", {}, `Help: ${finding.help}`));
  if (finding.fix?.edits.every((edit) => files.has(edit.file))) item.append(...repairOf(finding.fix));
  return item;
}

function placeOf({ file, line }) {
  const text = `${file}:${line}`;
  if (!files.has(file)) return text;
  return element("button", { type: "button", className: "place", textContent: text, onclick: () => select(lineRange(file, line, 1), true) });
}

function repairOf(fix) {
  const rows = (name, text) => text.replace(/\n$/, "").split("\n").map((line) => element(name, {}, line));
  const diff = fix.edits.flatMap(({ before, after }) => [...(before ? rows("del", before) : []), ...(after ? rows("ins", after) : [])]);
  const what = `Repair: ${fix.description}${fix.safe ? "" : " (it needs your decision)"}`;
  const button = element("button", { type: "button", className: "repair", textContent: what, onclick: () => apply(fix) });
  return [element("pre", { tabIndex: 0 }, ...diff), button];
}

function apply(fix) {
  if (!editor.value.endsWith("\n")) editor.value += "\n";
  const edits = fix.edits.map(({ file, line, before, after }) => [lineRange(file, line, before.split("\n").length - 1), after]);
  // From below, so that the ranges above stay where they are.
  for (const [range, after] of edits.sort(([a], [b]) => b[0] - a[0])) {
    select(range);
    // Unlike setRangeText, this can be undone.
    document.execCommand(after ? "insertText" : "delete", false, after);
  }
  judge();
  byId("findings-title").focus();
}

function lineRange(name, line, count) {
  const lines = editor.value.split("\n");
  const first = files.get(name).start + line - 1;
  const start = lines.slice(0, first).join("\n").length + (first > 0);
  return [start, Math.min(editor.value.length, start + lines.slice(first, first + count).join("\n").length + (count > 0))];
}

function select([start, end], scroll = false) {
  editor.focus();
  editor.setSelectionRange(start, end);
  if (!scroll) return;
  const row = editor.value.slice(0, start).split("\n").length;
  editor.scrollTop = (row - 6) * Number.parseFloat(getComputedStyle(editor).lineHeight);
}

function tellCursor() {
  const line = editor.value.slice(0, editor.selectionStart).split("\n").length - 1;
  const [name, file] = [...filesOf(editor.value)].findLast(([, { start }]) => start <= line) ?? [];
  byId("cursor").textContent = file ? `Line ${line - file.start + 1} of ${name}` : "";
}

async function add(named) {
  let text = editor.value === example ? "" : editor.value.replace(/\n?$/, "\n").replace(/^\n$/, "");
  let left = 0;
  for await (const [name, file] of named) {
    const content = file.size > MOST_TEXT ? "\0" : await file.text();
    if (/(^|\/)(\.git|node_modules)\//.test(name) || content.includes("\0") || text.length + content.length > MOST_TEXT) left += 1;
    else text += `# file: ${name}\n${content.replace(/\n?$/, "\n")}`;
  }
  editor.value = text;
  notice(left ? `Left out, because they are no text or too large: ${left}.` : "");
  judge();
}

async function* entriesOf(entry, folder = "") {
  if (entry.isFile) return yield [folder + entry.name, await new Promise((done, failed) => entry.file(done, failed))];
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return;
    for (const inner of some) yield* entriesOf(inner, `${folder}${entry.name}/`);
  }
}

async function* dropped(entries) {
  for (const entry of entries) yield* entriesOf(entry);
}

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

async function share() {
  const bytes = await through(new CompressionStream("deflate-raw"), editor.value);
  const packed = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const fragment = packed.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  if (fragment.length > MOST_LINK) return notice(`The link would have ${fragment.length} characters, and many programs cut it after ${MOST_LINK}. Share the files instead.`);
  history.replaceState(null, "", `#${fragment}`);
  const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  notice(`${copied ? "The link is copied" : "The link is in the address bar"}. It holds the text itself: anybody with it can read the manifests.`);
}

async function openLink() {
  const fragment = location.hash.slice(1);
  if (fragment.length > MOST_LINK) notice("The link is too long to be read.");
  else if (fragment) {
    try {
      const packed = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
      const bytes = await through(new DecompressionStream("deflate-raw"), Uint8Array.from(packed, (character) => character.charCodeAt(0)));
      editor.value = new TextDecoder().decode(bytes);
      notice("The manifests of the link are shown.");
    } catch {
      notice("The link is damaged: it holds no text.");
    }
  }
  judge();
}

async function keepOffline() {
  if (!("serviceWorker" in navigator) || document.documentElement.dataset.offline) return;
  document.documentElement.dataset.offline = "asked";
  await navigator.serviceWorker.register("service-worker.js");
  await navigator.serviceWorker.ready;
  document.documentElement.dataset.offline = "ready";
  byId("offline").textContent = "This page works offline from now on.";
}

editor.addEventListener("input", () => {
  clearTimeout(pause);
  pause = setTimeout(judge, PAUSE);
});
document.addEventListener("selectionchange", tellCursor);
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  judge();
  byId("findings-title").focus();
});
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  add(dropped([...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean)));
});
for (const input of [byId("files"), byId("folder")]) {
  input.addEventListener("change", () => {
    add([...input.files].map((file) => [file.webkitRelativePath || file.name, file]));
    input.value = ""; // The same file may be added again.
  });
}
byId("share").addEventListener("click", share);
byId("clear").addEventListener("click", () => {
  editor.value = "";
  judge();
  editor.focus();
});
addEventListener("hashchange", openLink);
startWorker();
openLink();
