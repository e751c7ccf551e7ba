// All bots at a glance.
import {attention} from "./attention.js";
import {chart} from "./charts.js";
import {by, el, keyed, say, table} from "./dom.js";
import {numbers, waitForPeople} from "./numbers.js";
import {ALL, backlog} from "./series.js";
import {botName, bytes, count, rate, span} from "./words.js";
import {processLine} from "./process_line.js";

const HEADS = ["Bot", "#Backlog", "#Oldest", "#Handled / s", "#Dead", "Receiving", "Target", "#Store"];

function health(good, words) {
  return {level: good === null ? "soft" : good ? "good" : "bad", words};
}

function receiving(bot) {
  if (!bot.source) return health(null, "not running");
  return health(bot.source.healthy, `${bot.source.kind}: ${bot.source.healthy ? "fine" : "fails"}`);
}

function target(bot) {
  if (bot.inbox.paused || bot.outbox.paused) return {level: "warn", words: "paused"};
  const reachable = bot.target?.reachable ?? null;
  return health(
    reachable,
    `${bot.target?.kind ?? "–"}: ${reachable === null ? "not known" : reachable ? "answers" : "does not answer"}`,
  );
}

function mark(cell, {level, words}) {
  cell.firstElementChild.className = `dot ${level}`;
  say(cell.lastElementChild, words);
}

export function allBots() {
  const section = by("overview");
  const needs = attention();
  const big = numbers();
  const throughput = chart(
    "Updates a second",
    [
      {name: "received", label: "received", colour: "blue", fill: true, gaps: true},
      {name: "done", label: "handled", colour: "green", gaps: true},
      {name: "failed", label: "failed", colour: "red", dash: [4, 3], gaps: true},
    ],
    rate,
  );
  const waiting = chart(
    "Backlog",
    [{name: "backlog", label: "waiting or running", colour: "blue", fill: true, gaps: true}],
    count,
  );
  const list = table("Bots", HEADS);
  const empty = el(
    "p",
    {class: "empty"},
    "No bot is configured yet. Put a token into the configuration file, and run `tgkeep config check`.",
  );
  const process = processLine();
  section.append(
    needs.root,
    big.root,
    el("div", {class: "charts"}, throughput.root, waiting.root),
    el("h2", {}, "Bots"),
    list.frame,
    empty,
    process.root,
  );

  return {
    section,
    title: "All bots",
    update(status) {
      needs.update(status, status.bots);
      big.update(status.bots);
      throughput.draw(ALL);
      waiting.draw(ALL);
      process.update(status);
      empty.hidden = status.bots.length > 0;
      list.frame.hidden = status.bots.length === 0;
      const dotted = () => el("td", {}, el("span", {class: "dot", "aria-hidden": "true"}), el("span"));
      keyed(
        list.body,
        status.bots,
        (bot) => bot.id,
        (bot) =>
          el(
            "tr",
            {},
            el("th", {scope: "row"}, el("a", {href: `#/${bot.id}`})),
            ...Array.from({length: 4}, () => el("td", {class: "number"})),
            dotted(),
            dotted(),
            el("td", {class: "number"}),
          ),
        (row, bot) => {
          const cell = row.children;
          say(cell[0].firstElementChild, botName(bot));
          say(cell[1], count(backlog(bot.inbox)));
          say(cell[2], span(bot.inbox.oldest_s));
          say(cell[3], rate(bot.rates?.done_per_s));
          say(cell[4], count(waitForPeople(bot)));
          cell[4].className = waitForPeople(bot) > 0 ? "number bad" : "number";
          mark(cell[5], receiving(bot));
          mark(cell[6], target(bot));
          say(cell[7], bytes(bot.store.file_bytes + bot.store.wal_bytes + bot.store.history_bytes));
        },
      );
    },
  };
}
