// Numbers, times and sizes as people read them.

const NOTHING = "–";
const whole = new Intl.NumberFormat("en", {maximumFractionDigits: 0});
const short = new Intl.NumberFormat("en", {notation: "compact", maximumFractionDigits: 1});

export const count = (n) =>
  n === null || n === undefined ? NOTHING : n < 1e6 ? whole.format(n) : short.format(n);

export function many(n, one, more = `${one}s`) {
  return `${count(n)} ${n === 1 ? one : more}`;
}

export function rate(n) {
  if (n === null || n === undefined) return NOTHING;
  return n > 0 && n < 10 ? n.toFixed(1).replace(".0", "") : count(Math.round(n));
}

/** A length of time, given in seconds. */
export function span(s) {
  if (s === null || s === undefined) return NOTHING;
  if (s <= 0) return "0 s";
  if (s < 0.0995) return `${(s * 1000).toPrecision(2)} ms`.replace(".0 ", " ");
  if (s < 0.9995) return `${Math.round(s * 1000)} ms`;
  if (s < 9.95) return `${s.toFixed(1)} s`.replace(".0 ", " ");
  if (s < 59.5) return `${Math.round(s)} s`;
  s = Math.max(Math.round(s), 60);
  const two = (big, unit, small, smaller) => {
    const rest = Math.floor((s % big) / small);
    return `${Math.floor(s / big)} ${unit}${rest ? ` ${rest} ${smaller}` : ""}`;
  };
  if (s < 3600) return two(60, "min", 1, "s");
  if (s < 86400) return two(3600, "h", 60, "min");
  return two(86400, "d", 3600, "h");
}

/** The same in a few characters, for the axis of a chart. */
export function brief(s) {
  if (s < 60) return span(s);
  const [n, unit] = s < 3600 ? [s / 60, "min"] : s < 86400 ? [s / 3600, "h"] : [s / 86400, "d"];
  return `${Number(n.toFixed(1))} ${unit}`;
}

export function bytes(n) {
  if (n === null || n === undefined) return NOTHING;
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let at = 0;
  while (n >= 1024 && at < units.length - 1) {
    n /= 1024;
    at += 1;
  }
  return `${at === 0 || n >= 100 ? Math.round(n) : n.toFixed(1)} ${units[at]}`;
}

const digits = (n) => String(n).padStart(2, "0");
const day = (at) => `${at.getFullYear()}-${digits(at.getMonth() + 1)}-${digits(at.getDate())}`;

/** The time of day, here. */
export function clock(ms, seconds = true) {
  const at = new Date(ms);
  return `${digits(at.getHours())}:${digits(at.getMinutes())}${seconds ? `:${digits(at.getSeconds())}` : ""}`;
}

/** Day and time; today without the day. */
export function stamp(ms) {
  if (ms === null || ms === undefined) return NOTHING;
  const at = new Date(ms);
  return day(at) === day(new Date()) ? clock(ms) : `${day(at)} ${clock(ms)}`;
}

export const STATES = {
  pending: "waiting",
  in_flight: "running",
  retrying: "to be tried again",
  held: "held",
  dead: "dead",
  done: "done",
};

const REASONS = {
  attempts: "too many attempts",
  max_block: "held its chat up too long",
  expired: "too late for an answer",
  unreadable: "unreadable",
  crashed: "ended the process",
  drop_pending: "dropped by the bot",
  corrupt: "damaged on disk",
  refused: "refused",
  no_bot: "bot has no token",
  skipped: "skipped in doubt",
  given_up: "given up",
};

/** Why something died, in words; a word that a handler chose stays as it is. */
export function reason(name) {
  const status = /^status_(\d+)$/.exec(name);
  return status ? `answered ${status[1]}` : (REASONS[name] ?? name.replaceAll("_", " "));
}

export const botName = (bot) => bot.name || String(bot.id);
