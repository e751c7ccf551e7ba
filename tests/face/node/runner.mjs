import { run, sequentialize } from '@grammyjs/runner';
import { Bot } from 'grammy';
import { settle } from '../../../examples/settle/settle.mjs';
import { apiRoot, mode, token } from './settings.mjs';
import { work } from './work.mjs';

const bot = new Bot(token, { client: { apiRoot } });
if (mode === 'settle') {
  bot.use(settle({ apiRoot, token }));
}
bot.use(sequentialize((ctx) => String(ctx.chatId)));
bot.on('message', (ctx) => work(ctx.msg, (text) => ctx.reply(text)));

await bot.api.deleteWebhook();
run(bot);
