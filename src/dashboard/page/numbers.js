// The large numbers at the top of a page: what waits, for how long, how fast it goes, what is dead.
import {el, say} from "./dom.js";
import {backlog} from "./series.js";
import {count, many, rate, span} from "./words.js";

const sum = (bots, of) => bots.reduce((all, bot) => all + of(bot), 0);
const dead = (queue) => Object.values(queue.dead).reduce((all, n) => all + n, 0);

/** Dead letters and held calls of a bot. */
export const waitForPeople = (bot) => dead(bot.inbox) + dead(bot.outbox) + bot.inbox.held + bot.outbox.held;

function tone(level) {
  return level ? `number ${level}` : "number";
}

export function numbers(deadLink) {
  const tile = (label, link) => {
    const value = el("dd", {class: "number"});
    const more = el("dd", {class: "more"});
    const name = link ? el("a", {href: link}, label) : label;
    return {value, more, root: el("div", {class: "tile"}, el("dt", {}, name), value, more)};
  };
  const waiting = tile("Backlog");
  const oldest = tile("Oldest waits");
  const speed = tile("Handled / s");
  const letters = tile("Dead letters", deadLink);
  const root = el(
    "dl",
    {class: "tiles"},
    [waiting, oldest, speed, letters].map((one) => one.root),
  );

  return {
    root,
    update(bots) {
      const inbox = (name) => sum(bots, (bot) => bot.inbox[name]);
      say(waiting.value, count(sum(bots, (bot) => backlog(bot.inbox))));
      const calls = sum(bots, (bot) => backlog(bot.outbox));
      say(
        waiting.more,
        `${count(inbox("in_flight"))} running, ${count(inbox("retrying"))} to be tried again` +
          (calls ? `, ${many(calls, "call")} to send` : ""),
      );

      const ages = bots.map((bot) => bot.inbox.oldest_s).filter((s) => s !== null);
      const age = ages.length ? Math.max(...ages) : null;
      say(oldest.value, age === null ? "–" : age < 1 ? "< 1 s" : span(age));
      oldest.value.className = tone(age > 3600 ? "bad" : age > 300 ? "warn" : "");
      say(oldest.more, age === null ? "nothing waits" : "since it was received");

      const rates = (name) => sum(bots, (bot) => bot.rates?.[name] ?? 0);
      say(speed.value, rate(rates("done_per_s")));
      say(speed.more, `${rate(rates("received_per_s"))} received, ${rate(rates("failed_per_s"))} failed`);

      const all = sum(bots, (bot) => dead(bot.inbox) + dead(bot.outbox));
      const held = sum(bots, (bot) => bot.inbox.held + bot.outbox.held);
      say(letters.value, count(all));
      letters.value.className = tone(all > 0 ? "bad" : "");
      say(letters.more, held ? `and ${many(held, "held call")}` : all ? "wait for you" : "none");
    },
  };
}
