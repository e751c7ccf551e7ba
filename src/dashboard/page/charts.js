// A chart of some columns over time, drawn by uPlot, with a legend that says the values as text.
import {el, say} from "./dom.js";
import {brief, clock, count, span} from "./words.js";
import {KEPT_S, columns} from "./series.js";

const HEIGHT = 180;
const SHORTEST_S = 60;
const WHOLE = [1, 2, 5]
  .flatMap((n) => Array.from({length: 12}, (_, power) => n * 10 ** power))
  .sort((a, b) => a - b);
const SPANS = [
  ...[0.0001, 0.001, 0.01, 0.1].flatMap((n) => [n, 2 * n, 5 * n]),
  1,
  2,
  5,
  10,
  15,
  30,
  60,
  120,
  300,
  600,
  900,
  1800,
  3600,
  7200,
  14400,
  21600,
  43200,
  86400,
  172800,
  432000,
];
const dark = matchMedia("(prefers-color-scheme: dark)");

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/**
 * `lines`: {name, label, colour, dash, fill, gaps}. `format` writes a value for legend and axis. Returns {root, draw(key)}.
 */
export function chart(title, lines, format) {
  const values = lines.map(() => el("b", {}, "–"));
  const legend = el(
    "ul",
    {class: "legend"},
    lines.map((line, at) =>
      el(
        "li",
        {},
        el("span", {class: `swatch ink-${line.colour}${line.dash ? " dashed" : ""}`}),
        line.label,
        " ",
        values[at],
      ),
    ),
  );
  const canvas = el("div", {class: "canvas", "aria-hidden": "true"});
  const when = el("span", {class: "when"});
  const root = el(
    "figure",
    {class: "card chart"},
    el("figcaption", {}, el("h2", {}, title), when, legend),
    canvas,
  );

  let plot = null;
  let data = null;

  function axis(more) {
    const line = colour("line");
    return {
      stroke: colour("soft"),
      font: "11px system-ui, sans-serif",
      grid: {stroke: line, width: 1},
      ticks: {show: false},
      ...more,
    };
  }

  function show(at) {
    const index = at ?? (data ? data[0].length - 1 : null);
    values.forEach((node, number) => say(node, format(index === null ? null : data[number + 1][index])));
    say(when, at === null || at === undefined || !data ? "" : clock(data[0][at] * 1000));
  }

  function make() {
    plot?.destroy();
    plot = new uPlot(
      {
        width: canvas.clientWidth,
        height: HEIGHT,
        legend: {show: false},
        padding: [8, 4, 0, 0],
        cursor: {drag: {x: false, y: false}, y: false, points: {size: 6}},
        scales: {
          x: {
            time: true,
            range: (_, from, to) => [Math.max(Math.min(from, to - SHORTEST_S), to - KEPT_S), to],
          },
          y: {range: (_, from, to) => [0, to > 0 ? to * 1.1 : 1]},
        },
        axes: [
          axis({size: 24, space: 70, values: (_, ticks) => ticks.map((s) => clock(s * 1000, s % 60 !== 0))}),
          axis({
            size: 58,
            space: 36,
            values: (_, ticks) => ticks.map((value) => (format === span ? brief(value) : format(value))),
            incrs: format === span ? SPANS : format === count ? WHOLE : undefined,
          }),
        ],
        series: [
          {},
          ...lines.map((line) => ({
            stroke: colour(line.colour),
            width: 1.75,
            dash: line.dash,
            spanGaps: line.gaps !== true,
            points: {show: false},
            fill: line.fill ? `${colour(line.colour)}1f` : undefined,
          })),
        ],
        hooks: {setCursor: [(self) => show(self.cursor.idx ?? null)]},
      },
      data,
      canvas,
    );
  }

  const resized = new ResizeObserver(() => {
    if (plot && canvas.clientWidth > 0) plot.setSize({width: canvas.clientWidth, height: HEIGHT});
  });
  resized.observe(canvas);
  dark.addEventListener("change", () => plot && make());

  return {
    root,
    draw(key) {
      const all = columns(key);
      if (!all || canvas.clientWidth === 0) return;
      data = [all.at, ...lines.map((line) => all[line.name])];
      if (plot) plot.setData(data);
      else make();
      show(plot.cursor.idx ?? null);
    },
  };
}
