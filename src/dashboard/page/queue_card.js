// A queue of a bot: whether it runs, the button that changes that, and its counts.
import {path, post} from "./api.js";
import {el, say} from "./dom.js";
import {facts} from "./facts.js";
import {during, tell} from "./said.js";
import {botName, count, many, reason} from "./words.js";

const total = (reasons) => Object.values(reasons).reduce((all, n) => all + n, 0);
const listed = (reasons) =>
  Object.entries(reasons)
    .filter(([, n]) => n > 0)
    .map(([name, n]) => `${count(n)} ${reason(name)}`)
    .join(", ");

const droppedBy = (whom) =>
  Object.entries(whom)
    .map(([name, n]) => `${count(n)} (${name})`)
    .join(", ");

export function queueCard(name, title, lead) {
  const state = el("span", {class: "tag"});
  const button = el("button", {type: "button"});
  const error = el("p", {class: "error", role: "alert"});
  const list = facts("");
  const root = el(
    "section",
    {class: "card"},
    el("div", {class: "head"}, el("h2", {}, title), state, button),
    el("p", {class: "hint"}, lead),
    error,
    list.root.firstElementChild,
  );

  let bot = null;
  button.addEventListener("click", () =>
    during(button, error, async () => {
      const verb = bot[name].paused ? "resume" : "pause";
      const answer = await post(path(bot.id, verb), {queue: name});
      bot[name].paused = answer.paused[name];
      show();
      tell(
        bot[name].paused
          ? `The ${name} of ${botName(bot)} is paused: what it has is kept and waits.`
          : `The ${name} of ${botName(bot)} goes on.`,
      );
    }),
  );

  function show() {
    const queue = bot[name];
    say(state, queue.paused ? "paused" : queue.runner ? "delivering" : "not running");
    state.className = queue.paused ? "tag warn" : "tag";
    say(button, queue.paused ? `Resume ${name}` : `Pause ${name}`);
    button.classList.toggle("main", queue.paused);
    const rows = [
      ["Waiting", count(queue.pending)],
      ["Running", count(queue.in_flight)],
      [
        "To be tried again",
        count(queue.retrying) +
          (queue.runner?.flooded ? `, ${count(queue.runner.flooded)} by Telegram's wish (429)` : ""),
      ],
      ["Done", count(queue.done)],
      ["Dead", total(queue.dead) ? listed(queue.dead) : "none", total(queue.dead) ? "bad" : ""],
    ];
    if (name === "outbox")
      rows.push(
        ["Held", count(queue.held), queue.held ? "warn" : ""],
        ["Was in doubt", many(queue.in_doubt, "time")],
      );
    if (total(queue.dropped)) rows.push(["Dropped", droppedBy(queue.dropped)]);
    rows.push([
      "Stored in all",
      count(queue.stored) + (queue.duplicates ? `, and ${count(queue.duplicates)} came twice` : ""),
    ]);
    list.update(rows);
  }

  return {
    root,
    update(now) {
      if (bot && bot.id !== now.id) say(error, "");
      bot = now;
      show();
    },
  };
}
