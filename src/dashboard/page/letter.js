// One dead letter or held call: a row that opens to its error and payload, with what can be done about it.
import {get, path, post} from "./api.js";
import {indented} from "./body_text.js";
import {el, say} from "./dom.js";
import {ask, during, tell} from "./said.js";
import {many, reason, stamp} from "./words.js";

const isCall = (item) => item.queue === "outbox";
const named = (item) => (isCall(item) ? `the call ${item.kind}` : `update ${item.update_id}`);

/** `gone(row)` is called when it is no longer a dead letter. */
export function letter(bot, item, gone) {
  const body = el("pre", {class: "body", tabindex: "0", "aria-label": "Payload"}, "Loading …");
  const error = el("p", {class: "error", role: "alert"});
  const retry = el(
    "button",
    {type: "button", class: "main"},
    item.state === "held" ? "Send it again" : "Retry",
  );
  const drop = el("button", {type: "button", class: "danger"}, "Drop");
  const title = el(
    "summary",
    {},
    el("span", {class: "what"}, el("b", {}, item.kind), " ", el("span", {class: "code"}, item.keys[0] ?? "")),
    el(
      "span",
      {class: `tag ${item.state === "held" ? "warn" : "bad"}`},
      item.state === "held" ? "held" : reason(item.reason),
    ),
    el("span", {class: "when"}, stamp(item.ended_at ?? item.received_at)),
    el("span", {class: "why"}, item.error || "no error was given"),
  );
  const root = el(
    "details",
    {class: "letter"},
    title,
    el(
      "div",
      {class: "inside"},
      item.corrupt ? el("p", {class: "error"}, `Damaged on disk: ${item.corrupt}`) : null,
      el("p", {class: "code full"}, item.error || "no error was given"),
      el(
        "p",
        {class: "hint"},
        `${isCall(item) ? "Call left by update" : "Update"} `,
        el("a", {href: `#/${bot.id}/trace/${item.update_id}`}, String(item.update_id)),
        `, received ${stamp(item.received_at)}, ${many(item.attempts, "failed attempt")}`,
        item.crashes ? `, ${many(item.crashes, "end")} of the process while it ran` : "",
        `, item #${item.seq} of the ${item.queue}.`,
      ),
      body,
      error,
      el("div", {class: "buttons"}, retry, drop),
    ),
  );

  let loaded = false;
  root.addEventListener("toggle", async () => {
    if (!root.open || loaded) return;
    loaded = true;
    try {
      const whole = await get(path(bot.id, `items/${item.queue}/${item.seq}`));
      say(body, indented(whole.body ?? "") || "(empty)");
    } catch (refused) {
      loaded = false;
      say(body, "");
      say(error, refused.message);
    }
  });

  const one = {queue: item.queue, seqs: [item.seq]};
  retry.addEventListener("click", () =>
    during(retry, error, async () => {
      const answer = await post(path(bot.id, "retry"), one);
      const done = answer.retried[0];
      tell(
        done
          ? `Retried ${named(item)}: it is now item #${done.as}, at the end of the ${item.queue}.`
          : `There was no ${named(item)} any more.`,
      );
      gone(root);
    }),
  );
  drop.addEventListener("click", async () => {
    const sure = await ask(
      `Drop ${named(item)}?`,
      "It is given up for good: nobody will handle it, and it can't be brought back.",
      "Drop it",
    );
    if (!sure) return;
    await during(drop, error, async () => {
      const answer = await post(path(bot.id, "drop"), one);
      tell(answer.dropped.length ? `Dropped ${named(item)}.` : `There was no ${named(item)} any more.`);
      gone(root);
    });
  });
  return root;
}
