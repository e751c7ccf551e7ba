// Which tgkeep this is, at the foot of a page; and the way back when it was told to receive nothing more.
import {post} from "./api.js";
import {el, say} from "./dom.js";
import {during, tell} from "./said.js";
import {span, stamp} from "./words.js";

export function processLine() {
  const words = el("p", {class: "foot"});
  const error = el("p", {class: "error", role: "alert"});
  const receive = el("button", {type: "button"}, "Receive again");
  receive.addEventListener("click", () =>
    during(receive, error, async () => {
      await post("api/receive");
      tell("Updates are received again.");
    }),
  );
  return {
    root: el("div", {class: "inline"}, words, receive, error),
    update(status) {
      receive.hidden = !status.live || status.receiving || status.stopping;
      say(
        words,
        status.live
          ? `tgkeep ${status.version}, process ${status.pid}, up for ${span(Math.floor(status.uptime_s))} since ${stamp(status.started_at)}`
          : `tgkeep ${status.version}; no process is running, this is what its files say`,
      );
    },
  };
}
