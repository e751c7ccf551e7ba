import { createServer } from 'node:http';
import { Bot, GrammyError, InlineKeyboard, InputFile, InputMediaBuilder, webhookCallback } from 'grammy';
import { apiRoot, secret, stopOnSignal, token, webhook } from './settings.js';

const bot = new Bot(token, { client: { apiRoot } });

bot.command('start', (ctx) =>
  ctx.reply(`Hello, ${ctx.from.first_name}!`, { reply_parameters: { message_id: ctx.msgId } }));
bot.command('menu', (ctx) =>
  ctx.reply('Tea?', { reply_markup: new InlineKeyboard().text('Yes', 'tea:yes').text('No', 'tea:no') }));
bot.callbackQuery(/^tea:(.+)$/, async (ctx) => {
  await ctx.answerCallbackQuery({ text: `Noted: ${ctx.match[1]}` });
  await ctx.editMessageText(`Tea: ${ctx.match[1]}`);
});
bot.command('delete', (ctx) => ctx.api.deleteMessage(ctx.chatId, ctx.msg.reply_to_message.message_id));
bot.command('file', (ctx) =>
  ctx.replyWithDocument(new InputFile(Buffer.from('Résumé\n'), 'resume.txt'), { caption: 'A file' }));
bot.command('album', (ctx) => ctx.replyWithMediaGroup([
  InputMediaBuilder.photo(new InputFile(Buffer.from('first photo'), 'a.jpg'), { caption: 'Two' }),
  InputMediaBuilder.photo(new InputFile(Buffer.from('second photo'), 'b.jpg')),
]));
bot.command('wrong', async (ctx) => {
  try {
    await ctx.api.sendMessage(424_242, 'Is anybody there?');
  } catch (error) {
    if (!(error instanceof GrammyError)) throw error;
    await ctx.reply(`${error.error_code}: ${error.description}`);
  }
});
bot.on('message:document', async (ctx) => {
  const file = await ctx.getFile();
  const answer = await fetch(`${apiRoot}/file/bot${token}/${file.file_path}`);
  await ctx.reply(`${ctx.msg.document.file_name}: ${await answer.text()}`);
});
bot.on('message:text', (ctx) => ctx.reply(`You said: ${ctx.msg.text}`));

if (webhook) {
  const server = createServer(webhookCallback(bot, 'http', { secretToken: secret }));
  server.listen(Number(webhook.port), webhook.hostname);
  await bot.api.setWebhook(webhook.href, { secret_token: secret });
  stopOnSignal(() => server.close());
} else {
  stopOnSignal(() => bot.stop());
  await bot.start();
}
