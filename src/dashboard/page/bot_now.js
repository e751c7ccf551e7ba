// One bot as it is now: numbers, charts, its two queues with pause and resume, where it receives and delivers, its store.
import {attention} from "./attention.js";
import {chart} from "./charts.js";
import {by, el} from "./dom.js";
import {facts} from "./facts.js";
import {numbers} from "./numbers.js";
import {processLine} from "./process_line.js";
import {queueCard} from "./queue_card.js";
import {botName, bytes, count, many, rate, span} from "./words.js";

function receivingFacts(bot) {
  const source = bot.source;
  if (!source) return [["Receives by", "not running"]];
  return [
    ["Receives by", source.kind],
    ["State", source.healthy ? "fine" : "fails", source.healthy ? "good" : "bad"],
    [
      "Last good exchange",
      source.last_success_s === null ? (source.healthy ? "the first is under way" : "none yet") : `${span(source.last_success_s)} ago`,
    ],
    [
      "Received",
      count(source.received) +
        (source.duplicates ? `, ${count(source.duplicates)} came twice` : "") +
        (source.unreadable ? `, ${count(source.unreadable)} unreadable` : ""),
    ],
    ["Failed exchanges", count(source.failures)],
  ];
}

function targetFacts(bot) {
  const reachable = bot.target?.reachable ?? null;
  return [
    ["Delivers to", bot.target?.kind ?? "–"],
    [
      "State",
      reachable === null ? "not known" : reachable ? "answers" : "does not answer",
      reachable === null ? "" : reachable ? "good" : "bad",
    ],
    ["At once, at most", count(bot.limit)],
  ];
}

function faceFacts(bot) {
  const face = bot.face;
  const calls = face.calls;
  const own = [];
  if (face.pulls && face.own_webhook) own.push(["Updates", `to its own webhook ${face.own_webhook}`]);
  if (face.pulls && !face.own_webhook)
    own.push(
      ["Last poll", face.last_poll_s === null ? "none yet" : `${span(face.last_poll_s)} ago`],
      ["To fetch", count(face.waiting)],
      ["Not confirmed", count(face.unconfirmed)],
    );
  if (face.pulls) own.push(["Restarts of the bot", count(face.restarts)]);
  return [
    ...own,
    ["Calls passed", count(calls.passed) + (calls.refused ? `, ${count(calls.refused)} refused` : "")],
    [
      "Calls that failed",
      `${count(calls.not_sent)} not sent, ${count(calls.maybe_sent)} maybe sent, ${count(calls.held_back)} held back`,
      calls.not_sent + calls.maybe_sent + calls.held_back ? "warn" : "",
    ],
    ["Calls waiting", count(calls.waiting) + (calls.flooded ? `, ${many(calls.flooded, "chat")} flooded` : "")],
  ];
}

function storeFacts(bot) {
  const store = bot.store;
  return [
    ["Folder", bot.folder || "in memory"],
    ["Database", bytes(store.file_bytes)],
    ["Write-ahead log", bytes(store.wal_bytes)],
    ["History", bytes(store.history_bytes)],
    [
      "Free on its disk",
      `${bytes(store.disk_free)}, ${bytes(store.reserve)} in reserve`,
      store.full ? "bad" : "",
    ],
  ];
}

export function botNow() {
  const section = by("bot-now");
  const needs = attention();
  const top = el("div");
  const throughput = chart(
    "Updates a second",
    [
      {name: "received", label: "received", colour: "blue", fill: true, gaps: true},
      {name: "done", label: "handled", colour: "green", gaps: true},
      {name: "failed", label: "failed", colour: "red", dash: [4, 3], gaps: true},
    ],
    rate,
  );
  const latency = chart(
    "Latency",
    [
      {name: "p50", label: "handling p50", colour: "blue"},
      {name: "p99", label: "handling p99", colour: "violet"},
      {name: "put", label: "storing p99", colour: "soft", dash: [4, 3]},
    ],
    span,
  );
  const waiting = chart(
    "Backlog",
    [{name: "backlog", label: "waiting or running", colour: "blue", fill: true, gaps: true}],
    count,
  );
  const age = chart(
    "Age of the oldest",
    [{name: "oldest", label: "waits for", colour: "violet", fill: true, gaps: true}],
    span,
  );
  const inbox = queueCard("inbox", "Inbox", "Updates, on their way to the bot");
  const outbox = queueCard("outbox", "Outbox", "Calls, on their way to Telegram");
  const source = facts("Source");
  const target = facts("Target");
  const face = facts("Face");
  const store = facts("Store");
  const process = processLine();
  section.append(
    needs.root,
    top,
    el("div", {class: "charts"}, throughput.root, latency.root, waiting.root, age.root),
    el("div", {class: "cards two"}, inbox.root, outbox.root),
    el("div", {class: "cards"}, source.root, target.root, face.root, store.root),
    process.root,
  );

  let shown = null;
  let big = null;
  return {
    section,
    title: "Now",
    update(status, bot) {
      if (shown !== bot.id) {
        shown = bot.id;
        big = numbers(`#/${bot.id}/dead`);
        top.replaceChildren(big.root);
        by("bot-title").textContent = botName(bot);
      }
      needs.update(status, [bot]);
      big.update([bot]);
      for (const one of [throughput, latency, waiting, age]) one.draw(bot.id);
      inbox.update(bot);
      outbox.update(bot);
      source.update(receivingFacts(bot));
      target.update(targetFacts(bot));
      face.root.hidden = !bot.face;
      if (bot.face) face.update(faceFacts(bot));
      store.update(storeFacts(bot));
      process.update(status);
    },
  };
}
