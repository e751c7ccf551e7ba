// Lanes where updates wait, and what runs now.
import {get, path} from "./api.js";
import {by, cells, el, keyed, say, table} from "./dom.js";
import {during} from "./said.js";
import {count, span} from "./words.js";

const EVERY_MS = 2000;

function state(lane) {
  if (lane.running_s !== null) return `running for ${span(lane.running_s)}`;
  if (lane.due_s > 0)
    return lane.attempts > 0 ? `failed, again in ${span(lane.due_s)}` : `starts in ${span(lane.due_s)}`;
  return "next in line";
}

/** A link to the trace of an update. */
export function traceLink(bot, updateId) {
  return el("a", {href: `#/${bot.id}/trace/${updateId}`}, String(updateId));
}

export function chats() {
  const section = by("chats");
  const error = el("p", {class: "error", role: "alert"});
  const calm = el("p", {class: "empty"});
  const lanes = table("Chats that wait", ["Chat", "State", "#Waiting behind", "#Failed attempts", "At"]);
  const running = table("Running now", ["Update", "Kind", "Chat", "#Attempt", "Running for"]);
  const idle = el("p", {class: "empty"}, "Nothing is running.");
  section.append(error, calm, lanes.frame, el("h2", {}, "Running now"), idle, running.frame);

  let bot = null;
  let timer = 0;

  async function look() {
    clearTimeout(timer);
    if (!bot) return;
    const asked = bot.id;
    try {
      const found = await get(path(asked, "lanes", {limit: 100}));
      if (bot?.id === asked) show(found);
      say(error, "");
    } catch (refused) {
      say(error, refused.message);
    }
    clearTimeout(timer);
    if (bot) timer = setTimeout(look, EVERY_MS);
  }

  /** To the trace of the update that a lane waits for; of that, the lane knows only the number. */
  function headLink(seq) {
    const button = el(
      "button",
      {type: "button", class: "plain", "aria-label": `Trace item #${seq}`},
      `#${seq}`,
    );
    button.addEventListener("click", () =>
      during(button, error, async () => {
        const item = await get(path(bot.id, `items/inbox/${seq}`));
        location.hash = `#/${bot.id}/trace/${item.update_id}`;
      }),
    );
    return button;
  }

  function show(found) {
    say(
      calm,
      bot.inbox.paused
        ? "The inbox is paused: nothing is started, so no chat is at work."
        : "No chat waits for another update of its own.",
    );
    calm.hidden = found.lanes.length > 0;
    lanes.frame.hidden = found.lanes.length === 0;
    keyed(
      lanes.body,
      found.lanes,
      (lane) => `${lane.key} ${lane.head}`,
      (lane) =>
        el(
          "tr",
          {},
          el("th", {scope: "row", class: "code"}),
          el("td"),
          el("td", {class: "number"}),
          el("td", {class: "number"}),
          el("td", {}, headLink(lane.head)),
        ),
      (row, lane) => {
        row.className = lane.attempts > 0 ? "warn" : "";
        cells(row, [lane.key || "not known", state(lane), count(lane.waiting), count(lane.attempts)]);
      },
    );
    idle.hidden = found.in_flight.length > 0;
    running.frame.hidden = found.in_flight.length === 0;
    keyed(
      running.body,
      found.in_flight,
      (one) => one.seq,
      (one) =>
        el(
          "tr",
          {},
          el("td", {}, traceLink(bot, one.update_id)),
          el("td"),
          el("td", {class: "code"}),
          el("td", {class: "number"}),
          el("td"),
        ),
      (row, one) => {
        row.className = one.stuck ? "bad" : "";
        cells(row, [
          null,
          one.kind,
          one.key,
          count(one.attempt),
          span(one.running_s) + (one.stuck ? ", past its time" : ""),
        ]);
      },
    );
  }

  return {
    section,
    title: "Chats",
    show(now) {
      bot = now;
      calm.hidden = lanes.frame.hidden = idle.hidden = running.frame.hidden = true;
      look();
    },
    update(status, now) {
      bot = now;
    },
    hide() {
      bot = null;
      clearTimeout(timer);
    },
  };
}
