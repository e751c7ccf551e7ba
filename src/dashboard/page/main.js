// The page: which view is shown for which address, and who hears of what the stream says.
import {allBots} from "./all_bots.js";
import {post, whenSignedOut} from "./api.js";
import {botNow} from "./bot_now.js";
import {chats} from "./chats.js";
import {by, say} from "./dom.js";
import {listen} from "./events.js";
import {chooser, tabs} from "./head.js";
import {letters} from "./letters.js";
import {live} from "./live.js";
import {login} from "./login.js";
import {replay} from "./replay.js";
import {record} from "./series.js";
import {trace} from "./trace.js";
import {botName, clock} from "./words.js";

const views = {
  all: allBots(),
  now: botNow(),
  chats: chats(),
  dead: letters(),
  trace: trace(),
  replay: replay(),
  live: live(),
};

const SIGNED_IN = "tgkeep-signed-in";

let status = null;
let shown = null;
let signedIn = null;

const NO_COUNTS = {
  stored: 0,
  pending: 0,
  in_flight: 0,
  retrying: 0,
  held: 0,
  done: 0,
  duplicates: 0,
  dead: {},
  dropped: {},
  in_doubt: 0,
  oldest_s: null,
  balanced: null,
  paused: false,
  runner: null,
};

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
  return {name: views[name] && name !== "all" ? name : "now", bot, rest};
}

function show({fresh}) {
  if (!status || !signedIn) return;
  const {name, bot, rest} = place();
  const view = views[name];
  const key = [name, bot?.id, ...rest].join("/");
  chooser(status, bot);
  tabs(status, bot, name);
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
    // Another tgkeep than the one this page came from: its own page goes with it.
    if (status && status.version !== now.version) location.reload();
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
