"use strict";
// Charts with uPlot: bars and dots along the program, with names on hover; a click opens the node.

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const charts = new Set();

// Redraws all charts after a change of colours or width.
function redrawCharts() { for (const chart of charts) chart.isConnected ? chart.redraw() : charts.delete(chart); }

// `choices` are { name, unit, values, log }, one of which is shown. Optional: `colours`, `tip(at)`, `go(at)`, `labels` of
// the x axis, `marks` (positions with numbers), `second` values, drawn as a line, and `chosen`, called with the choice
// that is shown.
function chart(parent, title, choices, options = {}) {
  const made = element("div", null, parent, "chart");
  const head = element("h2", title, made), picks = element("span", null, head, "pick"), place = element("div", null, made);
  let chosen = 0, plot = null;
  made.redraw = () => {
    if (plot) plot.destroy();
    plot = plotOf(place, choices[chosen], options);
    if (options.chosen) options.chosen(choices[chosen]);
  };
  if (choices.length > 1)
    choices.forEach((choice, at) => {
      const pick = button(choice.name, picks, () => {
        chosen = at;
        [...picks.children].forEach((each, number) => each.setAttribute("aria-pressed", String(number === at)));
        made.redraw();
      }, "");
      pick.setAttribute("aria-pressed", String(at === 0));
    });
  charts.add(made);
  made.redraw();
  return made;
}

function plotOf(place, choice, { colours, tip, go, labels, marks, second, height = 260 }) {
  const values = choice.values, count = values.length;
  const width = Math.max(400, Math.min(1500, place.clientWidth || 1000));
  const ink = style("--muted"), line = style("--line"), accent = style("--accent");
  const fills = colours ? colours.map((name) => style(name)) : null;
  const longest = labels ? Math.max(...labels.map((label) => measure(label, "12px"))) : 0;
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: `12px ${FONT}` };
  const bars = { fill: fills || accent, width: 0, points: { show: false } };
  const dots = { stroke: accent, fill: accent, width: 0, paths: () => null, points: { show: true, size: 6, fill: accent, stroke: accent } };
  const series = [{}, choice.log ? dots : { ...bars, fill: accent, paths: uPlot.paths.bars({ size: [0.8, 70, 1], ...(fills ? { disp: { fill: { unit: 3, values: () => fills } } } : {}) }) }];
  const data = [values.map((_, at) => at), values];
  if (second) { series.push({ stroke: style("--warn"), width: 1.5, points: { show: false }, spanGaps: true }); data.push(second); }
  const floor = [...values, ...(second || [])].reduce((least, value) => value > 0 && value < least ? value : least, Infinity);
  const options = {
    width, height: height + (labels ? Math.min(150, longest * 0.75) : 0), padding: [18, 10, 0, 0],
    cursor: { points: { show: false }, drag: { x: true, y: false }, y: false },
    legend: { show: false },
    scales: { x: { time: false, range: (_, from, to) => [from - 0.6, to + 0.6] }, y: choice.log ? { distr: 3, range: (_, from, to) => [Math.min(from, floor) / 3, to * 3] } : { range: (_, from, to) => [0, (to || 1) * 1.1] } },
    axes: [
      labels ? { ...axis, grid: { show: false }, splits: () => labels.map((_, at) => at), values: (_, splits) => splits.map((at) => labels[at]), rotate: -40, size: Math.min(160, 24 + longest * 0.7) }
        : { ...axis, grid: { show: false }, values: (_, splits) => splits.map((at) => Number.isInteger(at) && at >= 0 && at < count ? number(at) : "") },
      { ...axis, ...(choice.log ? { grid: { ...axis.grid, filter: powers }, ticks: { ...axis.ticks, filter: powers }, filter: powers } : {}), size: 78, values: (_, splits) => splits.map((value) => value === null ? "" : choice.log ? value.toExponential(0) : amount(value, choice.unit)) },
    ],
    series,
    hooks: {
      draw: marks ? [(plot) => drawMarks(plot, marks(choice), values)] : [],
      setCursor: [(plot) => { const at = plot.cursor.idx; if (tip && at !== null && at !== undefined) showTip(tip(at, choice), plot); else hideTip(); }],
    },
  };
  const plot = new uPlot(options, data, place);
  plot.over.addEventListener("mouseleave", hideTip);
  if (go) { plot.over.style.cursor = "pointer"; plot.over.addEventListener("click", () => { if (plot.cursor.idx !== null && plot.cursor.idx !== undefined) go(plot.cursor.idx); }); }
  return plot;
}

// The powers of ten among the ticks of a logarithmic axis.
const powers = (_, splits) => splits.map((value) => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9 ? value : null);

function drawMarks(plot, marks, values) {
  const context = plot.ctx, dense = window.devicePixelRatio || 1;
  context.save();
  context.font = `${650} ${11 * dense}px ${FONT}`;
  context.fillStyle = style("--ink");
  context.textAlign = "center";
  marks.forEach((at, rank) => context.fillText(String(rank + 1), plot.valToPos(at, "x", true), plot.valToPos(values[at], "y", true) - 5 * dense));
  context.restore();
}

function showTip(text, plot) {
  const bounds = plot.over.getBoundingClientRect();
  placeTip(text, bounds.left + plot.cursor.left, bounds.top + plot.cursor.top);
}

function placeTip(text, x, y) {
  const tip = byId("tip");
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  tip.style.left = `${Math.max(4, Math.min(x + 14, window.innerWidth - tip.offsetWidth - 8))}px`;
  tip.style.top = `${y + 18 + tip.offsetHeight > window.innerHeight ? y - tip.offsetHeight - 10 : y + 18}px`;
}

function hideTip() { byId("tip").hidden = true; }

// FLOP per byte and FLOP per second (cost model) of each call that multiplies or moves, and the limits of the device.
function roofline(parent) {
  const device = data.verdict.cost.device;
  const calls = data.costs.map((call, at) => ({ at, x: 2 * call.cost.multiply_adds / call.cost.bytes, y: 2e12 * call.cost.multiply_adds / call.cost.picoseconds }))
    .filter((call) => call.x > 0 && call.y > 0).sort((a, b) => a.x - b.x);
  if (!calls.length) return;
  element("h2", `Roofline of a ${device.name}: FLOP per second over FLOP per byte`, parent);
  element("p", "Dots: products and convolutions, by the cost model with their launch. Line: what the memory and the arithmetic of the device allow. A click opens the node.", parent, "hint");
  const roof = (x) => Math.min(2e9 * device.multiply_adds, 1e9 * device.bytes * x);
  const place = element("div", null, parent, "chart"), line = style("--line"), ink = style("--muted"), accent = style("--accent");
  const axis = { stroke: ink, grid: { stroke: line, width: 1, filter: powers }, ticks: { filter: powers }, filter: powers, font: `12px ${FONT}`, values: (_, splits) => splits.map((value) => value === null ? "" : value.toExponential(0)) };
  const plot = new uPlot({
    width: Math.max(400, Math.min(1500, parent.clientWidth || 1000)), height: 320, legend: { show: false }, cursor: { points: { show: false }, drag: { x: false, y: false } },
    scales: { x: { time: false, distr: 3 }, y: { distr: 3, range: (_, from, to) => [from / 3, to * 3] } }, axes: [axis, { ...axis, size: 78 }],
    series: [{}, { stroke: accent, width: 0, paths: () => null, points: { show: true, size: 6, fill: accent, stroke: accent } }, { stroke: style("--warn"), width: 1.5, points: { show: false } }],
    hooks: { setCursor: [(plot) => { const call = calls[plot.cursor.idx]; if (call) showTip(`${data.costs[call.at].node}\n${data.costs[call.at].callee}\n${amount(call.y, "FLOP/s")}, ${call.x.toPrecision(3)} FLOP/B`, plot); else hideTip(); }] },
  }, [calls.map((call) => call.x), calls.map((call) => call.y), calls.map((call) => roof(call.x))], place);
  plot.over.addEventListener("mouseleave", hideTip);
  plot.over.addEventListener("click", () => { const call = calls[plot.cursor.idx]; if (call) goTo(data.costs[call.at].node); });
}
