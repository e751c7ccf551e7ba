// What the page says on its own: a word about what was done, and a question before what can't be undone.
import {by, say} from "./dom.js";

let gone = 0;

/** Says what was done; heard by screen readers, too. */
export function tell(text) {
  const node = by("said");
  say(node, text);
  node.classList.add("shown");
  clearTimeout(gone);
  gone = setTimeout(() => {
    node.classList.remove("shown");
    say(node, "");
  }, 8000);
}

/** Asks; true only for the button named `yes`. */
export function ask(title, text, yes) {
  const dialog = by("ask");
  say(by("ask-title"), title);
  say(by("ask-text"), text);
  say(by("ask-yes"), yes);
  return new Promise((answer) => {
    // Not by the dialog's own "close", which comes late and would answer the next question, too.
    const end = (said) => {
      dialog.close();
      answer(said);
    };
    by("ask-yes").onclick = () => end(true);
    by("ask-no").onclick = () => end(false);
    dialog.oncancel = (event) => {
      event.preventDefault();
      end(false);
    };
    dialog.showModal();
  });
}

/** Runs `work` while `button` is busy; its failure is said in `where`. */
export async function during(button, where, work) {
  if (button.getAttribute("aria-disabled") === "true") return;
  // Not `disabled`, which would take the focus away.
  button.setAttribute("aria-disabled", "true");
  say(where, "");
  try {
    await work();
  } catch (refused) {
    say(where, refused.message);
  } finally {
    button.removeAttribute("aria-disabled");
  }
}
