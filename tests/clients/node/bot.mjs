// The bot of the test: notes what it gets, takes its time, and fails where the plan says so.
import { setTimeout as sleep } from "node:timers/promises";
import { note, planned, working_time } from "./journal.mjs";

const failed = new Set();

export async function handle(update) {
  const id = update.update_id;
  note("start", id);
  await sleep(working_time(id));
  if (planned(id) === "throw" && !failed.has(id)) {
    failed.add(id);
    note("throw", id);
    throw new Error("the plan says so");
  }
  note("end", id);
}

// The same as grammY middleware.
export default async function (context) {
  await handle(context.update);
  const chat = context.chat?.id;
  if (chat !== undefined) await context.api.sendMessage(chat, `handled ${context.update.update_id}`);
}
