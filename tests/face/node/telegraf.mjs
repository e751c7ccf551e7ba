import { createServer } from 'node:http';
import { Telegraf } from 'telegraf';
import { settle } from '../../../examples/settle/settle.mjs';
import { apiRoot, mode, secret, token, webhook } from './settings.mjs';
import { work } from './work.mjs';

const bot = new Telegraf(token, { telegram: { apiRoot } });
if (mode === 'settle') {
  bot.use(settle({ apiRoot, token }));
}
bot.on('message', (ctx) => work(ctx.message, (text) => ctx.reply(text)));

if (mode === 'webhook') {
  const server = createServer(bot.webhookCallback(webhook.pathname, { secretToken: secret }));
  server.listen(Number(webhook.port), webhook.hostname);
  await bot.telegram.setWebhook(webhook.href, { secret_token: secret });
} else {
  await bot.launch();
}
