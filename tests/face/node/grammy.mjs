import { createServer } from 'node:http';
import { Bot, webhookCallback } from 'grammy';
import { settle } from '../../../examples/settle/settle.mjs';
import { apiRoot, mode, secret, token, webhook } from './settings.mjs';
import { work } from './work.mjs';

const bot = new Bot(token, { client: { apiRoot } });
if (mode === 'settle') {
  bot.use(settle({ apiRoot, token }));
}
bot.on('message', (ctx) => work(ctx.msg, (text) => ctx.reply(text)));

if (mode === 'webhook') {
  const options = { secretToken: secret, timeoutMilliseconds: 55_000 };
  const server = createServer(webhookCallback(bot, 'http', options));
  server.listen(Number(webhook.port), webhook.hostname);
  await bot.api.setWebhook(webhook.href, { secret_token: secret });
} else {
  await bot.start();
}
