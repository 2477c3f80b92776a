"use strict";
// Nothing here is needed to read the report: it filters, and opens and closes.
(() => {
  const form = document.getElementById("filter");
  const { text, failing } = form.elements;
  const items = [...document.querySelectorAll("[data-finding], [data-quota]")].map((element) => ({
    element,
    kind: "quota" in element.dataset ? "quota" : element.classList.contains("suppressed") ? "suppressed" : "finding",
    fails: element.dataset.quota === "failing",
    says: `${element.dataset.where ?? ""} ${element.textContent}`.toLowerCase(),
  }));
  const groups = [...document.querySelectorAll("[data-group]")];
  const counted = (shown, all, noun) => `${shown === all ? all : `${shown} of ${all}`} ${noun}`;
  const nouns = { finding: ["finding", "findings"], suppressed: ["suppressed", "suppressed"], quota: ["quota", "quotas"] };

  function apply() {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = { finding: 0, suppressed: 0, quota: 0 };
    const all = { ...shown };
    for (const { element, kind, fails, says } of items) {
      const matches = words.every((word) => says.includes(word)) && (kind !== "quota" || fails || !failing.checked);
      element.hidden = !matches;
      all[kind] += 1;
      shown[kind] += matches;
    }
    // What has nothing left to show goes too; what is folded and has matches opens.
    for (const group of groups) {
      const left = group.querySelectorAll("[data-finding]:not([hidden]), [data-quota]:not([hidden])").length;
      group.hidden = !left && (words.length > 0 || failing.checked);
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
    history.replaceState(null, "", `#${kept}`);
  }

  function recall() {
    const kept = new URLSearchParams(location.hash.slice(1));
    // `#quotas` and the like lead to a place of the page and say nothing of the filter.
    if (location.hash.length > 1 && !kept.has("filter") && !kept.has("failing")) return;
    text.value = kept.get("filter") ?? "";
    failing.checked = kept.has("failing");
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
  });
  form.hidden = items.length === 0;
  recall();
  apply();
})();
