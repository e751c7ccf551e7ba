// The life of one update, as a line of events.
import {get, path} from "./api.js";
import {indented} from "./body_text.js";
import {by, el} from "./dom.js";
import {STATES, many, reason, span, stamp} from "./words.js";

const LEVELS = {done: "good", dead: "bad", held: "warn", retrying: "warn"};

function step(at, level, title, ...more) {
  return el(
    "li",
    {class: level},
    el("time", {}, at === null ? "" : stamp(at)),
    el(
      "div",
      {},
      el("b", {}, title),
      ...more.map((text) => (text instanceof Node ? text : el("p", {class: "code"}, text))),
    ),
  );
}

function payload(label, body) {
  return el(
    "details",
    {},
    el("summary", {}, label),
    el("pre", {class: "body", tabindex: "0", "aria-label": label}, indented(body ?? "") || "(empty)"),
  );
}

function ending(item) {
  const level = LEVELS[item.state] ?? "";
  const took =
    item.started_at && item.ended_at
      ? [el("p", {class: "hint"}, `The last attempt took ${span((item.ended_at - item.started_at) / 1000)}.`)]
      : [];
  switch (item.state) {
    case "done":
      return step(item.ended_at, level, "Done", ...took);
    case "dead":
      return step(item.ended_at, level, `Dead: ${reason(item.reason)}`, item.error);
    case "held":
      return step(item.ended_at, level, "Held: it may have been sent", item.error);
    case "retrying":
      return step(item.due_at, level, "To be tried again", item.error);
    case "in_flight":
      return step(item.started_at, "blue", "Running now");
    default:
      return step(item.due_at, "", "Waits for its turn");
  }
}

function call(item) {
  const end = item.ended_at ? `, ${stamp(item.ended_at)}` : "";
  return el(
    "li",
    {class: LEVELS[item.state] ?? ""},
    el("time", {}, stamp(item.received_at)),
    el(
      "div",
      {},
      el("b", {}, `Call ${item.kind}: ${STATES[item.state] ?? item.state}${end}`),
      item.error ? el("p", {class: "code"}, item.error) : null,
      payload("Parameters", item.body),
    ),
  );
}

/** How a run that a person asked for began. A retried dead letter leaves its last error to it, and is gone. */
function again(item, runs) {
  if (item.run === 0) return null;
  const before =
    runs.some((one) => one.item.seq === item.earlier) || !item.error ? [] : [`Before: ${item.error}`];
  return step(null, "blue", `Put at the end of the inbox again, after item #${item.earlier}`, ...before);
}

function run({item, failures, handouts, calls}, runs) {
  const title = item.run === 0 ? "First run" : `Run ${item.run + 1}: handed over again by a person`;
  const hidden = item.attempts - failures.length;
  return el(
    "section",
    {class: "card"},
    el("h2", {}, title),
    el(
      "p",
      {class: "hint"},
      `${item.kind}, ${item.keys.join(", ") || "no ordering key"}, item #${item.seq} of the inbox`,
    ),
    item.corrupt ? el("p", {class: "error"}, `Damaged on disk: ${item.corrupt}`) : null,
    el(
      "ol",
      {class: "line"},
      step(item.received_at, "blue", "Received and stored", payload("Payload", item.body)),
      again(item, runs),
      (handouts ?? []).map((one) =>
        step(one.at, "blue", `Handed out to the bot as update_id ${one.seen_as}`),
      ),
      hidden > 0 ? step(null, "warn", `${many(hidden, "earlier failed attempt")}, no longer kept`) : null,
      failures.map((one) => step(one.at, "warn", `Attempt ${one.attempt} failed`, one.error)),
      item.crashes ? step(null, "bad", `The process ended ${many(item.crashes, "time")} while it ran`) : null,
      ending(item),
      calls.map(call),
    ),
  );
}

/** Where to go from here: a trace is often asked for before a replay. */
function onward(bot, id, runs) {
  const last = runs.at(-1).item.state;
  if (last === "done") return el("p", {}, el("a", {href: `#/${bot.id}/replay/${id}`}, "Replay this update"));
  if (last === "dead") return el("p", {}, el("a", {href: `#/${bot.id}/dead`}, "See the dead letters"));
  return "";
}

export function trace() {
  const section = by("trace");
  const input = by("trace-id");
  const found = by("trace-found");
  let bot = null;
  let asked = "";

  by("trace-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const hash = `#/${bot.id}/trace/${input.value.trim()}`;
    if (location.hash === hash) look(input.value.trim());
    else location.hash = hash;
  });

  async function look(id) {
    asked = id;
    try {
      const answer = await get(path(bot.id, `trace/${id}`));
      if (asked !== id) return;
      found.replaceChildren(
        ...(answer.runs.length
          ? [...answer.runs.map((one) => run(one, answer.runs)), onward(bot, id, answer.runs)]
          : [nothing(id)]),
      );
    } catch (refused) {
      if (asked !== id) return;
      found.replaceChildren(
        refused.status === 404 ? nothing(id) : el("p", {class: "error"}, refused.message),
      );
    }
  }

  const nothing = (id) =>
    el(
      "p",
      {class: "empty"},
      `Update ${id} is not known (any more): it never came in, or its time in the history is over.`,
    );

  return {
    section,
    title: "Trace",
    show(now, [id]) {
      bot = now;
      asked = "";
      found.replaceChildren();
      if (id && /^-?[0-9]+$/.test(id)) {
        input.value = id;
        look(id);
      }
    },
    update(status, now) {
      bot = now;
    },
  };
}
