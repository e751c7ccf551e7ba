// What the test reads: one line per event, written at once to a pipe that outlives a kill.
import fs from "node:fs";

const { JOURNAL_FD, PLAN, PLAN_SEED, SLOW_UPDATE, SLOW_MS } = process.env;
const plan = PLAN.split(",");

export function note(...words) {
  const millis = process.hrtime.bigint() / 1_000_000n;
  fs.writeSync(Number(JOURNAL_FD), `${millis} ${words.join(" ")}\n`);
}

/** How the first attempt of an update is to end. */
export function planned(id) {
  return plan[(id * 7919 + Number(PLAN_SEED)) % plan.length];
}

export function working_time(id) {
  return id === Number(SLOW_UPDATE) ? Number(SLOW_MS) : 1 + (id % 10);
}
