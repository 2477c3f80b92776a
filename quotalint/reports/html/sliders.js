// What a quota would be asked for with another number of replicas. Amounts are whole numbers of 10^-9 units.
(() => {
  const binary = [[1n << 40n, "Ti"], [1n << 30n, "Gi"], [1n << 20n, "Mi"], [1n << 10n, "Ki"], [1n, ""]];
  const one = 1000000000n;
  function shown(nano, format) {
    if (nano % one === 0n) {
      const whole = nano / one;
      if (format !== "BinarySI" || whole === 0n) return `${whole}`;
      const [size, unit] = binary.find(([size]) => whole % size === 0n);
      return `${whole / size}${unit}`;
    }
    return nano % 1000000n === 0n ? `${nano / 1000000n}m` : `${nano}n`;
  }
  for (const label of document.querySelectorAll("[data-slider]")) {
    const { now, entries, surges } = JSON.parse(label.dataset.slider);
    const [input, output] = [label.querySelector("input"), label.querySelector("output")];
    const said = ([name, hard, steady, each, format], number) => {
      const more = BigInt(number - now) * BigInt(each);
      const needs = BigInt(steady) + more;
      const rolling = needs + BigInt(surges[number]) * BigInt(each);
      const mark = needs > BigInt(hard) ? " ✗" : rolling > BigInt(hard) ? " ✗ during a rollout" : "";
      return `${name} ${shown(needs, format)} of ${shown(BigInt(hard), format)}${mark}`;
    };
    const tell = () => {
      const number = Number(input.value);
      const lines = entries.map((entry) => said(entry, number));
      output.textContent = `${number} ${number === 1 ? "replica" : "replicas"}: ${lines.join(", ")}`;
    };
    input.addEventListener("input", tell);
    tell();
    label.hidden = false;
  }
})();
