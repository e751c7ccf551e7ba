// The head of the page: which bot, and which of its views.
import {troubles} from "./attention.js";
import {by, el, keyed, say} from "./dom.js";
import {waitForPeople} from "./numbers.js";
import {botName, count} from "./words.js";

// View, its name, and what of the name a phone leaves out.
const TABS = [
  ["now", "Now"],
  ["chats", "Chats"],
  ["dead", "Dead", " letters"],
  ["trace", "Trace"],
  ["replay", "Replay"],
  ["live", "Live"],
];

function tab(bot, [view, name, more]) {
  return el(
    "a",
    {href: `#/${bot.id}${view === "now" ? "" : `/${view}`}`},
    name,
    more ? el("span", {class: "wide"}, more) : null,
    el("span", {class: "badge"}),
    el("span", {class: "unseen"}),
  );
}

/** The views of a bot, with how many troubles and dead letters there are to see. */
export function tabs(status, bot, shown) {
  by("tabs").hidden = !bot;
  if (!bot) return;
  keyed(
    by("tabs"),
    TABS,
    ([view]) => `${bot.id} ${view}`,
    (one) => tab(bot, one),
    (link, [view]) => {
      if (view === shown) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
      const found = view === "now" ? troubles(status, [bot]) : [];
      const n = view === "dead" ? waitForPeople(bot) : found.length;
      const badge = link.querySelector(".badge");
      say(badge, n ? count(n) : "");
      badge.classList.toggle("warn", found.length > 0 && found.every((one) => one.level === "warn"));
      say(link.lastElementChild, view === "now" && n ? (n === 1 ? " trouble" : " troubles") : "");
    },
  );
}

/** The choice of a bot, when there are several. */
export function chooser(status, bot) {
  const select = by("bot");
  by("bots").hidden = status.bots.length < 2;
  const options = [["", "All bots"], ...status.bots.map((one) => [String(one.id), botName(one)])];
  if (options.join() !== [...select.options].map((option) => [option.value, option.textContent]).join())
    select.replaceChildren(...options.map(([value, text]) => el("option", {value}, text)));
  if (document.activeElement !== select) select.value = bot ? String(bot.id) : "";
}
