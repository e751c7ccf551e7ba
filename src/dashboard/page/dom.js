// Makes and changes elements. Text goes in as text nodes only: nothing here, or anywhere on the page, reads HTML from a string.

/** An element: `props.class`, `props.on` (listeners by event); every other prop becomes an attribute, unless null or false. */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === "class") node.className = value;
    else if (name === "on")
      for (const [event, heard] of Object.entries(value)) node.addEventListener(event, heard);
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

export const by = (id) => document.getElementById(id);

/** Changes the text only when it differs, so that selections live and screen readers hear no repeats. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Makes the children of `parent` those of `items`, keeping the elements (and the focus in them) of keys that stay. */
export function keyed(parent, items, keyOf, make, change) {
  const old = new Map([...parent.children].map((node) => [node.dataset.key, node]));
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = String(keyOf(item));
    let node = old.get(key);
    old.delete(key);
    if (!node) {
      node = make(item);
      node.dataset.key = key;
    }
    change?.(node, item);
    if (node === place) place = place.nextElementSibling;
    else parent.insertBefore(node, place);
  }
  for (const node of old.values()) node.remove();
}

/** The cells of a row that `row` made get new texts; a cell that is an element stays as it is. */
export function cells(row, texts) {
  texts.forEach((text, at) => {
    if (text !== null) say(row.children[at], text);
  });
}

/** A table in a frame that scrolls by itself where it is too wide; returns its frame and body. */
export function table(caption, heads) {
  const body = el("tbody");
  const frame = el(
    "div",
    {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
    el(
      "table",
      {},
      el("caption", {class: "unseen"}, caption),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          heads.map((head) =>
            el("th", {scope: "col", class: head.startsWith("#") ? "number" : ""}, head.replace("#", "")),
          ),
        ),
      ),
      body,
    ),
  );
  return {frame, body};
}
