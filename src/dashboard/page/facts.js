// A card of names and values: [name, value, level].
import {el, keyed, say} from "./dom.js";

export function facts(title) {
  const list = el("dl", {class: "facts"});
  return {
    root: el("section", {class: "card"}, title ? el("h2", {}, title) : null, list),
    update(rows) {
      keyed(
        list,
        rows,
        ([name]) => name,
        ([name]) => el("div", {}, el("dt", {}, name), el("dd")),
        (node, [, value, level]) => {
          say(node.lastElementChild, value);
          node.lastElementChild.className = level ?? "";
        },
      );
    },
  };
}
