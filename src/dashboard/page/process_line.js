// Which tgkeep this is, at the foot of a page.
import {el, say} from "./dom.js";
import {span, stamp} from "./words.js";

export function processLine() {
  const root = el("p", {class: "foot"});
  return {
    root,
    update(status) {
      say(root, status.live ? `tgkeep ${status.version}, process ${status.pid}, up for ${span(Math.floor(status.uptime_s))} since ${stamp(status.started_at)}`
        : `tgkeep ${status.version}; no process is running, this is what its files say`);
    },
  };
}
