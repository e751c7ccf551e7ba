import { Bot } from 'node-telegram-bot-api';
import { run, startWebhook } from 'node-telegram-bot-api/node';
import { settle } from '../../../examples/settle/settle.mjs';
import { apiRoot, mode, secret, token, webhook } from './settings.mjs';
import { work } from './work.mjs';

const bot = new Bot(token, { apiRoot });
if (mode === 'settle') {
  bot.use(settle({ apiRoot, token }));
}
bot.on('message', (ctx) => work(ctx.message, (text) => ctx.reply(text)));

if (mode === 'webhook') {
  await bot.api.setWebhook({ url: webhook.href, secret_token: secret });
  await startWebhook(bot, {
    port: Number(webhook.port),
    hostname: webhook.hostname,
    path: webhook.pathname,
    secretToken: secret,
  });
} else {
  await bot.api.deleteWebhook();
  await run(bot);
}
