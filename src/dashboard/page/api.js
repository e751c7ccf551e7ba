// Asks the admin interface (docs/admin_api.md).

export class Refused extends Error {
  constructor(status, code, text) {
    super(text);
    this.status = status;
    this.code = code;
  }
}

const NO_ANSWER =
  "tgkeep did not answer. Is it running, and can this browser reach it? Its log and `tgkeep doctor` say more.";

let onSignedOut = () => {};
/** Called when an answer says that nobody is signed in (any more). */
export function whenSignedOut(call) {
  onSignedOut = call;
}

// An unreadable update has an id of 63 bits, more than a number of JavaScript can tell apart: it stays a text.
const exact = (key, value, context) =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source !== undefined
    ? context.source
    : value;

/** The object that JSON stands for. */
export const read = (text) => JSON.parse(text, exact);

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(path, {
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
      ...options,
    });
  } catch {
    throw new Refused(0, "no_answer", NO_ANSWER);
  }
  const text = await answer.text();
  let body = null;
  try {
    body = text ? read(text) : null;
  } catch {
    // Not of tgkeep: a proxy's page, say.
  }
  if (answer.ok) return body;
  if (answer.status === 401 && path !== "login") onSignedOut();
  const said = body?.error;
  throw new Refused(
    answer.status,
    said?.code ?? "",
    said?.text ??
      `The answer was ${answer.status}, without a reason. \
If there is a proxy before tgkeep, its log says more.`,
  );
}

/** The path below the bot's, with what of `query` is set. */
export function path(bot, rest, query = {}) {
  const set = Object.entries(query).filter(
    ([, value]) => value !== "" && value !== null && value !== undefined,
  );
  return `api/bots/${bot}/${rest}${set.length ? `?${new URLSearchParams(set)}` : ""}`;
}

export const get = (where) => ask(where, {});
export const post = (where, body = {}) =>
  ask(where, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});
