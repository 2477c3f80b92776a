"use strict";
// Nothing here is needed to read the report: it filters, opens and closes, and shows one of two views at a time.
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
  // What of the map leads to a quota, with the quota; it goes and comes with it.
  const cells = [...document.querySelectorAll("#map a[href]")].map((cell) => ({
    cell: cell.closest(".tile") ?? cell,
    quota: document.getElementById(cell.hash.slice(1))?.closest("[data-quota]"),
  }));
  const rows = [...document.querySelectorAll("#map tbody tr, #map .names")];
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
    for (const { cell, quota } of cells) cell.hidden = quota?.hidden ?? false;
    for (const row of rows) row.hidden = [...row.querySelectorAll("a")].every((one) => one.hidden);
    const parts = Object.keys(nouns).filter((kind) => all[kind]);
    document.getElementById("shown").textContent = parts
      .map((kind) => counted(shown[kind], all[kind], nouns[kind][all[kind] === 1 ? 0 : 1]))
      .join(", ");
    for (const [number, tab] of tabs.entries()) mark(tab, views[number], words.length > 0);
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

  // Two views, one at a time: tabs, as a screen reader knows them.
  const views = [...document.querySelectorAll(".view")];
  const tabs = [...document.querySelectorAll(".tabs a")];
  const labels = tabs.map((tab) => tab.textContent);
  if (tabs.length) document.querySelector(".tabs").setAttribute("role", "tablist");
  for (const [number, tab] of tabs.entries()) {
    tab.setAttribute("role", "tab");
    tab.id = `tab-${number}`;
    tab.setAttribute("aria-controls", views[number].id);
    views[number].setAttribute("role", "tabpanel");
    views[number].setAttribute("aria-labelledby", tab.id);
    tab.addEventListener("click", (event) => {
      event.preventDefault();
      show(views[number]);
    });
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (event.key === " ") show(views[number]);
      else if (step) {
        const to = (number + step + tabs.length) % tabs.length;
        show(views[to]);
        tabs[to].focus();
      } else return;
      event.preventDefault();
    });
  }

  function show(view) {
    for (const [number, tab] of tabs.entries()) {
      const isShown = views[number] === view;
      views[number].classList.toggle("away", !isShown);
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
    }
  }

  // Under a filter a tab says how much is behind it.
  function mark(tab, view, isFiltered) {
    const left = view.querySelectorAll("[data-finding]:not([hidden])").length;
    const found = left === 1 ? "1 match" : `${left} matches`;
    tab.textContent = labels[tabs.indexOf(tab)] + (isFiltered ? `: ${found}` : "");
  }

  // An address leads to a quota or a finding, which may be in the other view, folded, or hidden by the filter.
  function reveal() {
    let name = location.hash.slice(1);
    try {
      name = decodeURIComponent(name);
    } catch {
      // It is as it is.
    }
    const target = document.getElementById(name);
    const view = target?.closest(".view");
    if (view) show(view);
    const folded = target?.closest("[data-finding], [data-quota]");
    if (!folded) {
      if (view) target.scrollIntoView();
      return;
    }
    for (let one = folded; one; one = one.parentElement.closest("details, [data-group]")) {
      one.hidden = false;
      if (one.localName === "details") one.open = true;
    }
    folded.scrollIntoView();
    target.focus({ preventScroll: true });
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
  // The same address a second time changes nothing that the browser would tell of.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#"]:not([role="tab"])');
    if (link && link.hash === location.hash) reveal();
  });
  form.hidden = items.length === 0;
  if (views.length) show(views[0]);
  recall();
  apply();
  reveal();
})();
