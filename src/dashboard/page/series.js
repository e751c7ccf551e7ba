// What is charted: a point a second, kept for fifteen minutes, for each bot and for all of them.

export const KEPT_S = 15 * 60;
export const COLUMNS = ["received", "done", "failed", "p50", "p99", "put", "backlog", "oldest"];
export const ALL = "all";

const kept = new Map();

function row(bot) {
  const rates = bot.rates ?? {};
  const value = (x) => (typeof x === "number" ? x : null);
  return {
    received: value(rates.received_per_s),
    done: value(rates.done_per_s),
    failed: value(rates.failed_per_s),
    p50: value(rates.handling_p50_s),
    p99: value(rates.handling_p99_s),
    put: value(rates.put_p99_s),
    backlog: backlog(bot.inbox),
    oldest: value(bot.inbox.oldest_s) ?? 0,
  };
}

/** What waits or runs. */
export const backlog = (queue) => queue.pending + queue.retrying + queue.in_flight;

function together(rows) {
  const sum = (name) => rows.reduce((all, one) => (one[name] === null ? all : (all ?? 0) + one[name]), null);
  const worst = (name) =>
    rows.reduce((all, one) => (one[name] === null ? all : Math.max(all ?? 0, one[name])), null);
  return {
    received: sum("received"),
    done: sum("done"),
    failed: sum("failed"),
    backlog: sum("backlog"),
    p50: worst("p50"),
    p99: worst("p99"),
    put: worst("put"),
    oldest: worst("oldest"),
  };
}

function add(key, at, values) {
  let columns = kept.get(key);
  if (!columns) kept.set(key, (columns = {at: [], ...Object.fromEntries(COLUMNS.map((name) => [name, []]))}));
  if (columns.at.at(-1) >= at) return;
  // After a gap in the connection: no line across what nobody saw.
  const gap = columns.at.length > 0 && at - columns.at.at(-1) > 10;
  if (gap) {
    columns.at.push(at - 0.5);
    for (const name of COLUMNS) columns[name].push(null);
  }
  columns.at.push(at);
  for (const name of COLUMNS) columns[name].push(values[name]);
  const old = columns.at.findIndex((then) => then >= at - KEPT_S);
  if (old > 30) for (const list of Object.values(columns)) list.splice(0, old);
}

/** Takes in what the stream said at the time `at` (seconds). */
export function record(status, at) {
  const rows = status.bots.map((bot) => [bot.id, row(bot)]);
  for (const [id, values] of rows) add(id, at, values);
  add(ALL, at, together(rows.map(([, values]) => values)));
}

/** The columns of a bot's id, or of ALL; nothing before the first point. */
export const columns = (key) => kept.get(key);

/** The values of the last point. */
export function last(key) {
  const found = kept.get(key);
  return found ? Object.fromEntries(COLUMNS.map((name) => [name, found[name].at(-1)])) : {};
}
