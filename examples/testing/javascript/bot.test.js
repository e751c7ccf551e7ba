import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, before, beforeEach, test } from 'node:test';
import { makeBot } from './bot.js';

const token = '4242:any_letters';
let emulator;
let root;
let bot;

async function ask(request, fields = {}) {
  const answer = await fetch(`${root}/control/${request}`, { method: 'POST', body: JSON.stringify(fields) });
  const { ok, result, description } = await answer.json();
  assert.ok(ok, description);
  return result;
}

// What the bot has called, once there are so many calls of this method.
async function calls(method, count = 1) {
  const made = await ask('calls', { method, count, wait: 10 });
  assert.equal(made.length, count);
  return made;
}

before(async () => {
  emulator = spawn('tgkeep', ['emulate', '--port', '0', '--bot', token], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: emulator.stdout }), 'line');
  root = line.replace('Listening on ', '');
  bot = makeBot(token, { client: { apiRoot: root } });
  bot.start();
});

after(async () => {
  await bot.stop();
  emulator.kill();
});

beforeEach(() => ask('reset'));

test('who presses Yes is subscribed', async () => {
  await ask('users', { id: 5, first_name: 'Alice' });
  await ask('send-text', { user: 5, text: '/start' });
  const [question] = await calls('sendMessage');
  assert.equal(question.params.text, 'Shall I keep you posted?');

  await ask('press-button', { user: 5, text: 'Yes' });
  await calls('editMessageText');
  const messages = await ask('messages', { chat: 5 });
  assert.deepEqual(messages.map((message) => message.text), ['/start', 'You hear from me.']);
});

test('who has blocked the bot does not keep the others from their news', async () => {
  for (const id of [5, 6, 7]) await ask('users', { id, started: true });
  await ask('block', { user: 6 });
  await ask('send-text', { user: 5, text: '/all 6 7' });
  const made = await calls('sendMessage', 3);
  assert.deepEqual(made.map((call) => [call.params.chat_id, call.status]), [[6, 403], [5, 200], [7, 200]]);
});

test('a message that Telegram refuses for now is sent again', async () => {
  await ask('faults', { fault: 'flood', retry_after: 1, methods: ['sendMessage'], times: 1 });
  await ask('send-text', { user: 5, text: '/start' });
  const made = await calls('sendMessage', 2);
  assert.deepEqual(made.map((call) => call.status), [429, 200]);
});
