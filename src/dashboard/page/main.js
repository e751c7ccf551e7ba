// The page: which view is shown for which address, and who hears of what the stream says.
import {allBots} from "./all_bots.js";
import {post, whenSignedOut} from "./api.js";
import {botNow} from "./bot_now.js";
import {chats} from "./chats.js";
import {by, el, keyed, say} from "./dom.js";
import {listen} from "./events.js";
import {letters} from "./letters.js";
import {live} from "./live.js";
import {login} from "./login.js";
import {waitForPeople} from "./numbers.js";
import {replay} from "./replay.js";
import {record} from "./series.js";
import {trace} from "./trace.js";
import {botName, clock, count} from "./words.js";

const views = {all: allBots(), now: botNow(), chats: chats(), dead: letters(), trace: trace(), replay: replay(), live: live()};
const TABS = ["now", "chats", "dead", "trace", "replay", "live"];

const SIGNED_IN = "tgkeep-signed-in";

let status = null;
let shown = null;
let signedIn = null;

const NO_COUNTS = {stored: 0, pending: 0, in_flight: 0, retrying: 0, held: 0, done: 0, duplicates: 0, dead: {}, dropped: {}, in_doubt: 0,
  oldest_s: null, balanced: null, paused: false, runner: null};

/** A bot whose store does not answer has no counts: views then see zeros, and its `error` is said. */
function complete(now) {
  for (const bot of now.bots) for (const name of ["inbox", "outbox"]) bot[name] ??= {...NO_COUNTS};
  return now;
}

/** What the address asks for: `#/`, `#/BOT`, `#/BOT/VIEW/…`. The only bot needs no page of all bots. */
function place() {
  const [id, name, ...rest] = location.hash.replace(/^#\/?/, "").split("/");
  const only = status.bots.length === 1 ? status.bots[0] : null;
  const bot = status.bots.find((one) => String(one.id) === id || one.name === id) ?? only;
  if (!bot) return {name: "all", bot: null, rest};
  return {name: TABS.includes(name) ? name : "now", bot, rest};
}

function tabs(bot, name) {
  by("tabs").hidden = !bot;
  if (!bot) return;
  keyed(by("tabs"), TABS, (tab) => `${bot.id} ${tab}`,
    (tab) => el("a", {href: `#/${bot.id}${tab === "now" ? "" : `/${tab}`}`}, views[tab].title, tab === "dead" ? el("span", {class: "badge"}) : null),
    (link, tab) => {
      if (tab === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
      if (tab !== "dead") return;
      const dead = waitForPeople(bot);
      say(link.lastElementChild, dead ? count(dead) : "");
    });
}

function chooser(bot) {
  const select = by("bot");
  by("bots").hidden = status.bots.length < 2;
  const options = [["", "All bots"], ...status.bots.map((one) => [String(one.id), botName(one)])];
  if (options.join() !== [...select.options].map((option) => [option.value, option.textContent]).join())
    select.replaceChildren(...options.map(([value, text]) => el("option", {value}, text)));
  if (document.activeElement !== select) select.value = bot ? String(bot.id) : "";
}

function show({fresh}) {
  if (!status || !signedIn) return;
  const {name, bot, rest} = place();
  const view = views[name];
  const key = [name, bot?.id, ...rest].join("/");
  chooser(bot);
  tabs(bot, name);
  if (key !== shown || fresh) {
    for (const other of Object.values(views)) {
      if (!other.section.hidden && other !== view) other.hide?.();
      other.section.hidden = other !== view;
    }
    view.show?.(bot, rest);
    document.title = [bot ? botName(bot) : null, view.title, "tgkeep"].filter(Boolean).join(" · ");
    // Whoever came by a link inside the page hears where they are now.
    if (shown !== null && key !== shown) view.section.querySelector("h1").focus();
    shown = key;
  }
  view.update(status, bot);
}

function link(up, since, text) {
  const node = by("link");
  node.className = up ? "link up" : "link down";
  say(node, up ? "Live" : since ? `No connection since ${clock(since)}: ${text}` : `No connection: ${text}`);
  document.body.classList.toggle("stale", !up);
}

const stream = listen({
  link,
  status(now) {
    const first = !signedIn;
    status = complete(now);
    record(now, Date.now() / 1000);
    if (first) {
      signedIn = true;
      entry.hide();
      // Whoever came through the Unix socket never signed in.
      by("sign-out").hidden = localStorage.getItem(SIGNED_IN) === null;
    }
    show({fresh: first});
  },
  update: (event) => views.live.heard(event),
});

const entry = login(() => {
  localStorage.setItem(SIGNED_IN, "yes");
  stream.start();
});

function signedOut() {
  localStorage.removeItem(SIGNED_IN);
  stream.stop();
  signedIn = false;
  for (const view of Object.values(views)) {
    if (!view.section.hidden) view.hide?.();
    view.section.hidden = true;
  }
  by("tabs").hidden = by("bots").hidden = by("sign-out").hidden = true;
  by("link").className = "link";
  say(by("link"), "Not signed in");
  document.body.classList.remove("stale");
  document.title = "Sign in · tgkeep";
  entry.show();
}

whenSignedOut(signedOut);
by("sign-out").addEventListener("click", async () => {
  await post("logout").catch(() => {});
  signedOut();
});
by("bot").addEventListener("change", (event) => {
  location.hash = event.target.value ? `#/${event.target.value}` : "#/";
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  by("main").focus();
});
addEventListener("hashchange", () => show({}));
stream.start();
