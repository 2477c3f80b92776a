"use strict";
// Nothing here is needed to read the report: it filters, and opens and closes.
(() => {
  const form = document.getElementById("filter");
  const { text, failing, severity, environment } = form.elements;
  const items = [...document.querySelectorAll("[data-finding], [data-quota]")].map((element) => ({
    element,
    kind: "quota" in element.dataset ? "quota" : element.classList.contains("suppressed") ? "suppressed" : "finding",
    fails: element.dataset.quota === "failing",
    severity: element.dataset.severity,
    // What names no environment is true of all of them.
    environments: (element.dataset.environment ?? element.dataset.environments ?? "").split("\n").filter(Boolean),
    says: `${element.dataset.where ?? ""} ${element.textContent}`.toLowerCase(),
  }));
  const groups = [...document.querySelectorAll("[data-group]")];
  const counted = (shown, all, noun) => `${shown === all ? all : `${shown} of ${all}`} ${noun}`;
  const nouns = { finding: ["finding", "findings"], suppressed: ["suppressed", "suppressed"], quota: ["quota", "quotas"] };

  function apply() {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = { finding: 0, suppressed: 0, quota: 0 };
    const all = { ...shown };
    for (const { element, kind, fails, says, severity: severe, environments } of items) {
      const matches =
        words.every((word) => says.includes(word)) &&
        (kind !== "quota" || fails || !failing.checked) &&
        (!environment?.value || !environments.length || environments.includes(environment.value)) &&
        (!severity?.value || kind === "quota" || severe === severity.value);
      element.hidden = !matches;
      all[kind] += 1;
      shown[kind] += matches;
    }
    // What has nothing left to show goes too; what is folded and has matches opens.
    for (const group of groups) {
      const left = group.querySelectorAll("[data-finding]:not([hidden]), [data-quota]:not([hidden])").length;
      const chosen = words.length > 0 || failing.checked || environment?.value || severity?.value;
      group.hidden = !left && Boolean(chosen);
      if (left && words.length && group.localName === "details") group.open = true;
    }
    const parts = Object.keys(nouns).filter((kind) => all[kind]);
    document.getElementById("shown").textContent = parts
      .map((kind) => counted(shown[kind], all[kind], nouns[kind][all[kind] === 1 ? 0 : 1]))
      .join(", ");
  }

  function remember() {
    const kept = new URLSearchParams();
    if (text.value) kept.set("filter", text.value);
    if (failing.checked) kept.set("failing", "1");
    if (environment?.value) kept.set("environment", environment.value);
    if (severity?.value) kept.set("severity", severity.value);
    history.replaceState(null, "", `#${kept}`);
  }

  function recall() {
    const kept = new URLSearchParams(location.hash.slice(1));
    // `#quotas` and the like lead to a place of the page and say nothing of the filter.
    const names = ["filter", "failing", "environment", "severity"];
    if (location.hash.length > 1 && !names.some((name) => kept.has(name))) return;
    text.value = kept.get("filter") ?? "";
    failing.checked = kept.has("failing");
    if (environment) environment.value = kept.get("environment") ?? "";
    if (severity) severity.value = kept.get("severity") ?? "";
  }

  // A cell of the map leads to a quota, which may be folded, or hidden by the filter.
  function reveal() {
    const target = document.getElementById(location.hash.slice(1));
    if (target?.localName !== "details") return;
    target.hidden = false;
    for (let group = target.closest("[data-group]"); group; group = group.parentElement.closest("[data-group]")) {
      group.hidden = false;
      if (group.localName === "details") group.open = true;
    }
    target.open = true;
    target.scrollIntoView();
  }

  const open = (isOpen) => {
    for (const { element } of items) if (!element.hidden) element.open = isOpen;
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    apply();
    remember();
  });
  form.elements.open.addEventListener("click", () => open(true));
  form.elements.close.addEventListener("click", () => open(false));
  addEventListener("hashchange", () => {
    recall();
    apply();
    reveal();
  });
  form.hidden = items.length === 0;
  recall();
  apply();
  reveal();
})();
