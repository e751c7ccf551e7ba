import { File } from 'node:buffer';
import { createServer } from 'node:http';
import { Bot, webhookHandler } from 'gramio';
import { settle } from '../../../examples/settle/settle.mjs';
import { apiRoot, mode, secret, token, webhook } from './settings.mjs';
import { work } from './work.mjs';

// Node.js 18 has it, but not where gramio looks.
globalThis.File ??= File;

const bot = new Bot(token, { api: { baseURL: `${apiRoot}/bot` } });
if (mode === 'settle') {
  bot.use(settle({ apiRoot, token }));
}
bot.on('message', (ctx) => work(ctx, (text) => ctx.send(text)));

if (mode === 'webhook') {
  const server = createServer(webhookHandler(bot, 'http', { secretToken: secret, shouldWait: { timeout: 55_000 } }));
  server.listen(Number(webhook.port), webhook.hostname);
  await bot.start({ webhook: { url: webhook.href, secret_token: secret } });
} else {
  await bot.start();
}
