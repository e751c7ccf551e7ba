import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Input, Markup, Telegraf, TelegramError } from 'telegraf';
import { message } from 'telegraf/filters';
import { apiRoot, certificate, key, secret, stopOnSignal, token, webhook } from './settings.js';

const bot = new Telegraf(token, { telegram: { apiRoot } });

bot.start((ctx) =>
  ctx.reply(`Hello, ${ctx.from.first_name}!`, { reply_parameters: { message_id: ctx.message.message_id } }));
bot.command('menu', (ctx) => ctx.reply('Tea?', Markup.inlineKeyboard([
  Markup.button.callback('Yes', 'tea:yes'),
  Markup.button.callback('No', 'tea:no'),
])));
bot.action(/^tea:(.+)$/, async (ctx) => {
  await ctx.answerCbQuery(`Noted: ${ctx.match[1]}`);
  await ctx.editMessageText(`Tea: ${ctx.match[1]}`);
});
bot.command('delete', (ctx) => ctx.deleteMessage(ctx.message.reply_to_message.message_id));
bot.command('file', (ctx) =>
  ctx.replyWithDocument(Input.fromBuffer(Buffer.from('Résumé\n'), 'resume.txt'), { caption: 'A file' }));
bot.command('album', (ctx) => ctx.replyWithMediaGroup([
  { type: 'photo', media: Input.fromBuffer(Buffer.from('first photo'), 'a.jpg'), caption: 'Two' },
  { type: 'photo', media: Input.fromBuffer(Buffer.from('second photo'), 'b.jpg') },
]));
bot.command('wrong', async (ctx) => {
  try {
    await ctx.telegram.sendMessage(424_242, 'Is anybody there?');
  } catch (error) {
    if (!(error instanceof TelegramError)) throw error;
    await ctx.reply(`${error.code}: ${error.description}`);
  }
});
bot.on(message('document'), async (ctx) => {
  const answer = await fetch(await ctx.telegram.getFileLink(ctx.message.document.file_id));
  await ctx.reply(`${ctx.message.document.file_name}: ${await answer.text()}`);
});
bot.on(message('text'), (ctx) => ctx.reply(`You said: ${ctx.message.text}`));

if (certificate) {
  stopOnSignal(() => bot.stop());
  await bot.launch({
    webhook: {
      domain: webhook.host,
      path: webhook.pathname,
      host: webhook.hostname,
      port: Number(webhook.port),
      secretToken: secret,
      tlsOptions: { cert: readFileSync(certificate), key: readFileSync(key) },
      certificate: Input.fromLocalFile(certificate),
    },
  });
} else if (webhook) {
  // launch() and createWebhook() know https only.
  const server = createServer(bot.webhookCallback(webhook.pathname, { secretToken: secret }));
  server.listen(Number(webhook.port), webhook.hostname);
  bot.botInfo = await bot.telegram.getMe();
  await bot.telegram.setWebhook(webhook.href, { secret_token: secret });
  stopOnSignal(() => server.close());
} else {
  stopOnSignal(() => bot.stop());
  await bot.launch();
}
