// Dead letters and held calls of a bot.
import {get, path, post} from "./api.js";
import {by, el, say} from "./dom.js";
import {letter} from "./letter.js";
import {waitForPeople} from "./numbers.js";
import {ask, during, tell} from "./said.js";
import {botName, count, many, reason} from "./words.js";

const PAGE = 50;
const HELD = "held";

export function letters() {
  const section = by("letters");
  const error = el("p", {class: "error", role: "alert"});
  const queue = el(
    "select",
    {id: "letters-queue"},
    el("option", {value: "inbox"}, "Updates"),
    el("option", {value: "outbox"}, "Calls"),
  );
  const why = el("select", {id: "letters-reason"});
  const all = el("button", {type: "button"});
  const fresh = el("button", {type: "button", class: "quiet"}, "Look again");
  const news = el("span", {class: "hint", role: "status"});
  const list = el("div", {class: "letters"});
  const empty = el("p", {class: "empty"});
  const more = el("button", {type: "button"}, "Show more");
  section.append(
    el(
      "div",
      {class: "tools"},
      el("span", {}, el("label", {for: "letters-queue"}, "What"), queue),
      el("span", {}, el("label", {for: "letters-reason"}, "Reason"), why),
      all,
      fresh,
      news,
    ),
    error,
    list,
    empty,
    more,
  );

  let bot = null;
  let next = null;
  let known = 0;

  const reasons = () => Object.entries(bot[queue.value].dead).filter(([, n]) => n > 0);
  const waiting = () => waitForPeople(bot);

  /** The reasons with their counts, as choices; what is chosen stays chosen. */
  function choices() {
    const chosen = why.value;
    const held = bot[queue.value].held;
    const options = [["", "any"], ...reasons().map(([name, n]) => [name, `${reason(name)} (${count(n)})`])];
    if (held > 0) options.push([HELD, `held (${count(held)})`]);
    if (chosen && !options.some(([name]) => name === chosen)) options.push([chosen, `${reason(chosen)} (0)`]);
    if (
      options.map(([, text]) => text).join() === [...why.options].map((option) => option.textContent).join()
    )
      return;
    why.replaceChildren(...options.map(([value, text]) => el("option", {value}, text)));
    why.value = chosen;
  }

  function toolbar() {
    choices();
    const name = why.value;
    const n = name === "" || name === HELD ? 0 : (bot[queue.value].dead[name] ?? 0);
    all.hidden = n === 0;
    say(all, `Retry all ${count(n)}: ${reason(name)}`);
    say(news, waiting() === known ? "" : "The list has changed since.");
  }

  async function load(after) {
    const asked = {bot: bot.id, queue: queue.value, why: why.value};
    const held = asked.why === HELD;
    try {
      const found = await get(
        path(asked.bot, "items", {
          queue: asked.queue,
          state: held ? "held" : asked.why ? "dead" : "dead,held",
          reason: held ? "" : asked.why,
          after,
          limit: PAGE,
          newest: true,
          bodies: false,
        }),
      );
      if (bot?.id !== asked.bot || queue.value !== asked.queue || why.value !== asked.why) return;
      say(error, "");
      if (!after) list.replaceChildren();
      list.append(...found.items.map((item) => letter(bot, item, gone)));
      next = found.next;
    } catch (refused) {
      say(error, refused.message);
      next = null;
    }
    emptiness();
  }

  function emptiness() {
    more.hidden = next === null;
    empty.hidden = list.childElementCount > 0 || error.textContent !== "";
    const what = queue.value === "inbox" ? "dead updates" : "dead or held calls";
    say(
      empty,
      why.value
        ? `No ${what} for this reason.`
        : `No ${what}. Here you would find what ${queue.value === "inbox" ? "a handler refused or failed at too often" : "Telegram refused, or what may have been sent twice"}.`,
    );
  }

  function again() {
    known = waiting();
    toolbar();
    return load(null);
  }

  function gone(row) {
    const neighbour = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    known -= 1;
    emptiness();
    (neighbour?.querySelector("summary") ?? by("letters-title")).focus();
  }

  queue.addEventListener("change", () => {
    why.value = "";
    again();
  });
  why.addEventListener("change", again);
  fresh.addEventListener("click", () => during(fresh, error, again));
  more.addEventListener("click", () => during(more, error, () => load(next)));
  all.addEventListener("click", async () => {
    const name = why.value;
    const sure = await ask(
      `Retry all: ${reason(name)}?`,
      `${many(bot[queue.value].dead[name] ?? 0, "item")} of ${botName(bot)} will go to the end of the ${queue.value}, and be handed over again.`,
      "Retry all",
    );
    if (!sure) return;
    await during(all, error, async () => {
      const answer = await post(path(bot.id, "retry"), {queue: queue.value, all: true, reason: name});
      tell(`Retried ${many(answer.retried.length, "item")}.`);
      await again();
    });
  });

  return {
    section,
    title: "Dead letters",
    show(now) {
      bot = now;
      if (reasons().length === 0 && bot.inbox.held === 0 && queue.value === "inbox" && waiting() > 0)
        queue.value = "outbox";
      why.value = "";
      empty.hidden = more.hidden = true;
      list.replaceChildren();
      again();
    },
    update(status, now) {
      bot = now;
      toolbar();
    },
  };
}
