// Replays what matches a form: counts first, then starts; shows how far it is.
import {get, path, post} from "./api.js";
import {by, el, say} from "./dom.js";
import {during, tell} from "./said.js";
import {count, many} from "./words.js";

const EVERY_MS = 1000;
const SKIPPED = {
  waiting: "waits already",
  replayed: "replayed before",
  corrupt: "damaged on disk",
  not_found: "gone",
};

const number = (id) => (by(id).value.trim() === "" ? undefined : Number(by(id).value));
const time = (id) => (by(id).value === "" ? undefined : new Date(by(id).value).getTime());

/** What the form says, as the request has it; a chat's bare id becomes its key. */
function request() {
  const key = by("key").value.trim();
  const states = ["done", "dead"].filter((state) => by(`state-${state}`).checked);
  const asked = {
    states,
    first_id: number("first-id"),
    last_id: number("last-id"),
    from: time("from"),
    to: time("to"),
    kind: by("kind").value.trim() || undefined,
    key: key === "" ? undefined : /^-?[0-9]+$/.test(key) ? `chat:${key}` : key,
    rate: number("rate"),
    force: by("force").checked,
  };
  const limits = ["first_id", "last_id", "from", "to", "key"];
  if (states.length === 0) throw new Error("Say which updates: finished, dead, or both.");
  if (limits.every((name) => asked[name] === undefined))
    throw new Error("Say at least one of: ids, times, chat.");
  return asked;
}

export function replay() {
  const section = by("replay");
  const error = by("replay-error");
  const found = by("replay-found");
  const start = by("replay-start");
  const bar = el("progress", {"aria-label": "Replayed", max: "1", value: "0"});
  const words = el("p");
  const cancel = el("button", {type: "button"}, "Cancel the replay");
  const jobError = el("p", {class: "error", role: "alert"});
  const jobTitle = el("h2", {});
  by("replay-job").append(
    el("section", {class: "card"}, jobTitle, bar, words, jobError, el("div", {class: "buttons"}, cancel)),
  );

  let bot = null;
  let counted = null;
  let timer = 0;

  function forget() {
    counted = null;
    start.hidden = true;
    by("replay-count").classList.add("main");
    start.classList.remove("main");
    say(found, "");
  }

  function show(job) {
    by("replay-job").hidden = !job;
    if (!job) return;
    const skipped = Object.entries(job.skipped ?? {}).filter(([, n]) => n > 0);
    say(jobTitle, job.running ? "Replaying" : "The last replay");
    bar.max = Math.max(1, job.of);
    bar.value = job.of === 0 ? 1 : job.done;
    say(
      words,
      `${count(job.done)} of ${count(job.of)} looked at, ${count(job.replayed)} replayed` +
        (skipped.length
          ? `, left out: ${skipped.map(([why, n]) => `${count(n)} (${SKIPPED[why] ?? why})`).join(", ")}`
          : "") +
        (job.error
          ? `. It ended early: ${job.error}`
          : job.cancelled && !job.running
            ? ". It was cancelled."
            : "."),
    );
    cancel.hidden = !job.running;
    clearTimeout(timer);
    if (job.running && bot) timer = setTimeout(look, EVERY_MS);
  }

  async function look() {
    if (!bot) return;
    try {
      show(await get(path(bot.id, "replay")));
      say(jobError, "");
    } catch (refused) {
      say(jobError, refused.message);
    }
  }

  by("replay-form").addEventListener("input", forget);
  by("replay-form").addEventListener("submit", (event) => {
    event.preventDefault();
    during(by("replay-count"), error, async () => {
      const asked = request();
      const answer = await post(path(bot.id, "replay"), {...asked, dry_run: true});
      forget();
      counted = asked;
      say(
        found,
        answer.matched === 0
          ? "No update matches."
          : `${many(answer.matched, "update matches", "updates match")}.`,
      );
      if (answer.matched === 0) return;
      say(start, `Replay ${many(answer.matched, "update")}`);
      start.hidden = false;
      start.classList.add("main");
      by("replay-count").classList.remove("main");
      start.focus();
    });
  });
  start.addEventListener("click", () =>
    during(start, error, async () => {
      const answer = await post(path(bot.id, "replay"), {...counted, dry_run: false});
      forget();
      tell("The replay has started.");
      show(answer.job);
      by("replay-count").focus();
    }),
  );
  cancel.addEventListener("click", () =>
    during(cancel, jobError, async () => {
      show(await post(path(bot.id, "replay/cancel")));
      tell("The replay is cancelled. What was put into the queue stays there.");
    }),
  );

  return {
    section,
    title: "Replay",
    show(now, [id]) {
      bot = now;
      forget();
      if (/^[0-9]+$/.test(id ?? "")) by("first-id").value = by("last-id").value = id;
      say(error, "");
      by("replay-job").hidden = true;
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
