// What each of these bots does with a message "NUMBER MILLISECONDS": it works so long and answers the number. The
// journal tells when; a line is written by one call, so that it survives the process.
import { openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const journal = openSync(process.env.JOURNAL, 'a');

export async function work(message, answer) {
  const [number, milliseconds] = message.text.split(' ');
  writeSync(journal, `start ${message.chat.id} ${number}\n`);
  await sleep(Number(milliseconds));
  await answer(number);
  writeSync(journal, `end ${message.chat.id} ${number}\n`);
}
