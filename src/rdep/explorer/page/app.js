// The page: its sections, and what follows from a change.
import { decideOne, decisions, featuresOf, openPayload, probabilityOf, savedEdits, scores, setNumber, useModel } from "./model.js";
import { classExpressions, regions } from "./expressions.js";
import { flips } from "./flips.js";
import { accuracy, balancedAccuracy, cheapest, confusion, rocCurve, tally } from "./metrics.js";
import { modelView } from "./modelview.js";
import { rowView } from "./rowview.js";
import { frontView, heldOutView, importanceView, planeView, thresholdView } from "./figures.js";
import { count, element, matrix, percent, replaced } from "./charts.js";

export function start() {
  const payload = JSON.parse(document.getElementById("data").textContent);
  const page = openPayload(payload);
  page.codes = decisions(page);
  const differences = page.codes.reduce((sum, code, i) => sum + (code !== page.predicted[i]), 0);
  const k = page.classes.length;
  const first = page.y && confusion(page.codes, page.y, k);
  let part = k === 2 && payload.model?.kind !== "boxes" ? 0 : Math.min(1, k - 1);
  if (k > 2) part = 0;
  let model = null;
  let waiting = null;

  const numberOf = (i) => (page.numbers ? page.numbers[i] : i + 1);
  const api = { numberOf, choose, decided, remade };

  // Scoreboard.
  const board = { figures: element("div", { class: "row" }), matrix: element("div"), edits: element("span", { class: "note", role: "status" }) };
  const save = element("button", { class: "main", onclick: download }, "Save edits");
  const reset = element("button", { onclick: () => { useModel(page, page.original); page.threshold = page.defaultThreshold; remade(); } }, "Reset");

  function scoreboard() {
    const parts = [];
    if (page.y) {
      const counts = confusion(page.codes, page.y, k);
      const [now, before] = [balancedAccuracy(counts), balancedAccuracy(first)];
      const change = now - before;
      parts.push(figure("balanced accuracy", Number.isNaN(now) ? "–" : now.toFixed(3), Math.abs(change) < 5e-5 ? null : change));
      parts.push(figure("right", percent(accuracy(counts))));
      replaced(board.matrix, matrix(page, counts));
    }
    tally(page.codes, k).forEach((n, code) => {
      if (k === 2 ? code === 1 : k <= 4) parts.push(figure(`decided ${page.classes[code]}`, percent(n / page.n)));
    });
    replaced(board.figures, ...parts);
    const n = page.edits.size;
    replaced(board.edits, n ? `${n} ${n === 1 ? "edit" : "edits"}` : "");
    save.disabled = !n || Boolean(page.isOther);
    reset.disabled = !n && page.threshold === page.defaultThreshold;
  }

  // The decisions again, at once; the other sections as soon as the browser has time.
  function decided(isFinal) {
    page.codes = decisions(page);
    scoreboard();
    if (waiting) clearTimeout(waiting);
    waiting = setTimeout(later, isFinal ? 0 : 150);
  }

  function later() {
    waiting = null;
    threshold?.refresh();
    rows.refresh();
    plane?.refresh();
  }

  function remade() {
    showModel();
    decided(true);
  }

  function choose(i) {
    page.chosen = i;
    rows.choose(i);
    plane?.refresh();
  }

  function download() {
    const text = `${JSON.stringify(savedEdits(page), null, 1)}\n`;
    const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    element("a", { href: address, download: "edits.json" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  const modelHolder = element("div");
  function showModel() {
    if (!page.form) return;
    model = modelView(page, part, decided);
    const tabs = k > 2 || page.form.kind === "boxes"
      ? element("div", { class: "row" }, element("label", { for: "part" }, "Class"),
        element("select", { id: "part", onchange: (event) => { part = Number(event.target.value); showModel(); } },
          ...page.classes.map((name, code) => element("option", { value: code, selected: code === part }, name))))
      : null;
    replaced(modelHolder, tabs, model.node);
  }

  const isBinary = k === 2 && page.y;
  const threshold = isBinary ? thresholdView(page, api) : null;
  const rows = rowView(page, api);
  page.chosen = rows.first();
  const plane = page.form ? planeView(page, api) : null;
  const sections = [
    page.form && ["model", "The model", modelHolder],
    payload.heldOut && ["held-out", "Rows held out", heldOutView(page)],
    payload.importance && ["importance", "What matters", importanceView(page)],
    payload.front && ["front-section", "Fewer conditions", frontView(page, api).node],
    ["one-row", "One row", rows.node],
    plane && ["plane", "Two columns", plane.node],
    threshold && ["threshold-section", "Threshold and costs", threshold.node],
  ].filter(Boolean);

  replaced(document.getElementById("page"),
    element("p", { class: "over" }, "A model to look at"),
    element("h1", {}, payload.title),
    lead(page),
    element("nav", { "aria-label": "Sections" }, ...sections.map(([id, title]) => element("a", { href: `#${id}` }, title))),
    element("section", { class: "board", "aria-label": "Score on the rows of this page" }, board.figures,
      element("div", { class: "end" }, board.edits, page.form?.editable ? reset : null, page.form?.editable ? save : null)),
    page.y ? element("details", { open: true }, element("summary", { class: "note" }, "Confusion matrix: rows by class, columns by decision"), element("div", { class: "wide" }, board.matrix)) : null,
    differences ? element("p", { class: "alarm", role: "alert" }, `${count(differences)} of ${count(page.n)} decisions of this page differ from those of Python. Please report this.`) : null,
    ...sections.map(([id, title, node]) => element("section", { id }, element("h2", {}, title), node)),
    foot(page, differences));
  showModel();
  scoreboard();
  rows.refresh();
  later();
  // For tests and for scripts in the console.
  globalThis.explorer = {
    page, differences, decided, choose, flips, regions, classExpressions, decideOne, featuresOf, rocCurve, cheapest, scores, probabilityOf, setNumber: (...given) => { setNumber(page, ...given); model?.redraw(); decided(true); }, savedEdits: () => savedEdits(page),
  };
}

function figure(name, value, change) {
  const delta = change ? element("i", { class: change > 0 ? "up" : "down" }, `${change > 0 ? "+" : "−"}${Math.abs(change).toFixed(3)}`) : null;
  return element("div", { class: "figure" }, element("small", {}, name), element("b", {}, value, delta));
}

function lead(page) {
  const { payload, y, classes } = page;
  const own = page.columns.filter((column) => !column.derived).length;
  const names = classes.map((name, code) => `${name}${y ? ` (${count(y.reduce((s, label) => s + (label === code), 0))})` : ""}`);
  const listed = names.length > 12 ? `${names.slice(0, 12).join(", ")} and more` : `${names.slice(0, -1).join(", ")} or ${names[names.length - 1]}`;
  const unlabelled = y ? y.reduce((s, label) => s + (label < 0), 0) : 0;
  return element("p", { class: "lead" },
    `${/^([AEIO]|RDEP)/.test(payload.kind) ? "An" : "A"} ${payload.kind} on ${count(own)} ${own === 1 ? "column" : "columns"} predicts ${payload.target ?? "the class"}: ${listed}. `,
    page.numbers ? `The page has a random sample of ${count(page.n)} of ${count(payload.total)} rows. ` : `The page has ${count(page.n)} ${page.n === 1 ? "row" : "rows"}. `,
    y ? "" : "Their classes are not known, so it shows decisions only. ",
    unlabelled ? `${count(unlabelled)} have no class. ` : "",
    page.columns.some((column) => column.derived)
      ? "Python computed the values on which the model decides; the page evaluates the rest: change it, and the decisions follow."
      : page.form ? "It evaluates the model itself: change it, and the decisions follow." : "Python evaluated the model: the page shows the values of the rows, and what a threshold makes of them.");
}

function foot(page, differences) {
  return element("footer", {},
    element("p", {}, differences ? "" : `All ${count(page.n)} decisions of this page equal those of the Python package. `,
      "Everything is computed in this file; nothing is sent. ",
      page.form?.editable ? "Saved edits become a model by: rdep edit model.rdep edits.json -o new.rdep" : ""),
    element("p", {}, `Made with rdep ${page.payload.version}. Bounds: drag, type, or arrow keys (with Shift ten steps).`));
}
