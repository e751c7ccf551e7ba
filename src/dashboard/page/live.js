// What happens now, line by line; can be held to be read.
import {by, el, say} from "./dom.js";
import {STATES, clock, many} from "./words.js";

const KEPT = 200;

export function live() {
  const section = by("live");
  const hold = el("button", {type: "button", "aria-pressed": "false"}, "Hold");
  const filter = el("input", {
    id: "live-filter",
    type: "search",
    autocomplete: "off",
    placeholder: "kind, chat or state",
  });
  const missed = el("span", {class: "hint", role: "status"});
  const body = el("tbody");
  const frame = el(
    "div",
    {class: "scroll tail", tabindex: "0", role: "region", "aria-label": "Live events"},
    el(
      "table",
      {},
      el("caption", {class: "unseen"}, "Live events"),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          ["Time", "State", "Update", "Kind", "Chat", "Queue"].map((head) => el("th", {scope: "col"}, head)),
        ),
      ),
      body,
    ),
  );
  const empty = el(
    "p",
    {class: "empty"},
    "Nothing has happened since this page was opened. Write to the bot, and it shows here.",
  );
  section.append(
    el(
      "div",
      {class: "tools"},
      hold,
      el("span", {}, el("label", {for: "live-filter"}, "Only"), filter),
      missed,
    ),
    empty,
    frame,
  );

  const events = [];
  let bot = null;
  let held = false;
  let meanwhile = 0;

  const matches = (event) => {
    const wanted = filter.value.trim().toLowerCase();
    return (
      event.bot === bot.id &&
      (!wanted ||
        [event.kind, event.key, event.state, STATES[event.state], event.queue, event.update_id]
          .join(" ")
          .toLowerCase()
          .includes(wanted))
    );
  };

  const line = (event) =>
    el(
      "tr",
      {},
      el("td", {class: "number"}, clock(event.at)),
      el(
        "td",
        {},
        el("span", {class: `dot ${event.state}`, "aria-hidden": "true"}),
        STATES[event.state] ?? event.state,
      ),
      el("td", {}, el("a", {href: `#/${event.bot}/trace/${event.update_id}`}, String(event.update_id))),
      el("td", {}, event.kind),
      el("td", {class: "code"}, event.key),
      el("td", {}, event.queue),
    );

  function visibility() {
    empty.hidden = body.childElementCount > 0;
    frame.hidden = body.childElementCount === 0;
    say(
      empty,
      filter.value && events.length
        ? "Nothing of that kind since this page was opened."
        : "Nothing has happened since this page was opened. Write to the bot, and it shows here.",
    );
  }

  function whole() {
    if (!bot) return;
    body.replaceChildren(...events.filter(matches).reverse().map(line));
    visibility();
  }

  hold.addEventListener("click", () => {
    held = !held;
    meanwhile = 0;
    hold.setAttribute("aria-pressed", String(held));
    say(hold, held ? "Go on" : "Hold");
    say(missed, held ? "Held; what happens is remembered." : "");
    if (!held) whole();
  });
  filter.addEventListener("input", whole);

  return {
    section,
    title: "Live",
    /** Every event, whether the view is shown or not. */
    heard(event) {
      events.push(event);
      if (events.length > KEPT) events.shift();
      if (!bot || !matches(event)) return;
      if (held) {
        meanwhile += 1;
        return;
      }
      body.prepend(line(event));
      while (body.childElementCount > KEPT) body.lastElementChild.remove();
      visibility();
    },
    show(now) {
      bot = now;
      whole();
    },
    update(status, now) {
      bot = now;
      if (held && meanwhile) say(missed, `Held; ${many(meanwhile, "event")} since.`);
    },
    hide() {
      bot = null;
    },
  };
}
