// What needs somebody: one sentence for each trouble that the status shows, and what helps.
import {el, keyed, say} from "./dom.js";
import {botName, bytes, many, span} from "./words.js";

const OLD_S = 5 * 60;
const VERY_OLD_S = 60 * 60;
const QUEUES = {inbox: "updates", outbox: "calls"};

function ofReceiving(bot, add) {
  if (bot.source && (!bot.source.healthy || bot.source.problem))
    add(
      "bad",
      "source",
      "Receiving fails.",
      bot.source.problem || "tgkeep goes on trying; what is stored is handed over meanwhile.",
    );
  if (bot.target?.reachable === false)
    add(
      "bad",
      "target",
      `The target does not answer: ${bot.target.kind}.`,
      "Updates wait and are tried again by themselves. Is the bot's server running?",
    );
}

const SILENT_S = 60;

function ofFace(bot, add) {
  const face = bot.face;
  if (!face?.pulls || face.own_webhook || !face.waiting) return;
  if (face.last_poll_s === null || face.last_poll_s > SILENT_S)
    add(
      "bad",
      "face",
      `${many(face.waiting, "update")} can be fetched, and the bot does not ask.`,
      "Is it running, with tgkeep's face as its API root?",
    );
}

function ofQueue(bot, name, add) {
  const queue = bot[name];
  const what = QUEUES[name];
  if (queue.paused)
    add("warn", `${name}-paused`, `The ${name} is paused.`, `Its ${what} are kept and wait for “Resume”.`);
  if (queue.runner?.stuck_pause)
    add(
      "bad",
      `${name}-stuck`,
      "Too many handlers have not ended after their time, so nothing new is started.",
      "Restart the bot, and look in its code for work that never ends.",
    );
  else if (queue.runner?.stuck > 0)
    add(
      "warn",
      `${name}-stuck`,
      `${many(queue.runner.stuck, "delivery", "deliveries")} of the ${name} went past the time limit.`,
      "Their chats wait for them.",
    );
  if (queue.held > 0)
    add(
      "warn",
      `${name}-held`,
      `${many(queue.held, "call")} may or may not have been sent, and ${queue.held === 1 ? "is" : "are"} held.`,
      "Look at them under “Dead letters”, and send or drop them.",
    );
  if (queue.oldest_s > OLD_S && !queue.paused)
    add(
      queue.oldest_s > VERY_OLD_S ? "bad" : "warn",
      `${name}-old`,
      `The oldest of the ${what} has waited for ${span(Math.floor(queue.oldest_s / 60) * 60)}.`,
      "“Chats” shows who waits for what.",
    );
  if (queue.balanced === false)
    add(
      "bad",
      `${name}-sum`,
      `The sums of the ${name} don't add up.`,
      "Run `tgkeep check` on a backup, and report what it says.",
    );
}

function ofStore(store, add) {
  if (store.full)
    add(
      "bad",
      "full",
      "There is no room on the disk: nothing new is accepted, and Telegram keeps it for up to 24 hours.",
      `Free some space: ${bytes(store.disk_free)} are left, ${bytes(store.reserve)} are kept in reserve.`,
    );
  else if (store.disk_free !== null && store.reserve > 0 && store.disk_free < 4 * store.reserve)
    add(
      "warn",
      "disk",
      `Only ${bytes(store.disk_free)} are left on the disk.`,
      `Below ${bytes(store.reserve)} nothing new is accepted.`,
    );
}

/** The troubles of these bots, the worst first: {key, level, text, remedy}. */
export function troubles(status, bots) {
  const found = [];
  if (status.stopping) found.push({key: "stopping", level: "warn", text: "tgkeep is stopping.", remedy: ""});
  else if (status.live && !status.receiving)
    found.push({
      key: "drain",
      level: "warn",
      text: "Nothing is received any more: tgkeep was told to drain.",
      remedy:
        "What is stored is still handed over; Telegram keeps the rest for up to 24 hours. “Receive again” is at the foot of the page.",
    });
  for (const bot of bots) {
    const add = (level, key, text, remedy) =>
      found.push({
        key: `${bot.id}-${key}`,
        level,
        remedy,
        text: bots.length > 1 ? `${botName(bot)}: ${text}` : text,
      });
    if (bot.error) add("bad", "error", "Its store does not answer.", bot.error);
    ofReceiving(bot, add);
    ofFace(bot, add);
    for (const name of Object.keys(QUEUES)) ofQueue(bot, name, add);
    ofStore(bot.store, add);
  }
  return found.sort((a, b) => (a.level === b.level ? 0 : a.level === "bad" ? -1 : 1));
}

/** A list of them that keeps itself up to date. */
export function attention() {
  const list = el("ul", {class: "troubles"});
  const calm = el("p", {class: "calm"}, "Nothing needs you.");
  const root = el(
    "div",
    {
      class: "attention",
      role: "region",
      "aria-label": "What needs you",
      "aria-live": "polite",
      "aria-relevant": "additions",
    },
    calm,
    list,
  );
  return {
    root,
    update(status, bots) {
      const found = troubles(status, bots);
      calm.hidden = found.length > 0;
      keyed(
        list,
        found,
        (one) => one.key,
        (one) =>
          el(
            "li",
            {class: one.level},
            el("span", {class: "mark", "aria-hidden": "true"}, "!"),
            el("p", {}, el("b"), " ", el("span")),
          ),
        (node, one) => {
          node.className = one.level;
          const [text, remedy] = node.querySelectorAll("p > *");
          say(text, one.text);
          say(remedy, one.remedy);
        },
      );
    },
  };
}
