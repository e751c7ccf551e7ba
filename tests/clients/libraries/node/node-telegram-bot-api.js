import { Bot, InlineKeyboardBuilder, InputFile, TelegramApiError } from 'node-telegram-bot-api';
import { run, startWebhook } from 'node-telegram-bot-api/node';
import { apiRoot, secret, token, webhook } from './settings.js';

const bot = new Bot(token, { apiRoot });
const { api } = bot;

bot.command('start', (ctx) =>
  ctx.reply(`Hello, ${ctx.from.first_name}!`, { reply_parameters: { message_id: ctx.message.message_id } }));
bot.command('menu', (ctx) => ctx.reply('Tea?', {
  reply_markup: new InlineKeyboardBuilder().text('Yes', 'tea:yes').text('No', 'tea:no').build(),
}));
bot.on('callback_query', async (ctx) => {
  const choice = ctx.callbackQuery.data.slice('tea:'.length);
  await ctx.answerCallbackQuery({ text: `Noted: ${choice}` });
  await api.editMessageText({
    chat_id: ctx.chatId,
    message_id: ctx.callbackQuery.message.message_id,
    text: `Tea: ${choice}`,
  });
});
bot.command('delete', (ctx) =>
  api.deleteMessage({ chat_id: ctx.chatId, message_id: ctx.message.reply_to_message.message_id }));
bot.command('file', (ctx) => api.sendDocument({
  chat_id: ctx.chatId,
  document: new InputFile(Buffer.from('Résumé\n'), { filename: 'resume.txt' }),
  caption: 'A file',
}));
bot.command('album', (ctx) => api.sendMediaGroup({
  chat_id: ctx.chatId,
  media: [
    { type: 'photo', media: new InputFile(Buffer.from('first photo'), { filename: 'a.jpg' }), caption: 'Two' },
    { type: 'photo', media: new InputFile(Buffer.from('second photo'), { filename: 'b.jpg' }) },
  ],
}));
bot.command('wrong', async (ctx) => {
  try {
    await api.sendMessage({ chat_id: 424_242, text: 'Is anybody there?' });
  } catch (error) {
    if (!(error instanceof TelegramApiError)) throw error;
    await ctx.reply(`${error.errorCode}: ${error.description}`);
  }
});
bot.on('message', async (ctx, next) => {
  const { document } = ctx.message;
  if (!document) return next();
  const file = await api.getFile({ file_id: document.file_id });
  const answer = await fetch(`${apiRoot}/file/bot${token}/${file.file_path}`);
  await ctx.reply(`${document.file_name}: ${await answer.text()}`);
});
bot.hears(/.+/, (ctx) => ctx.reply(`You said: ${ctx.message.text}`));

if (webhook) {
  await api.setWebhook({ url: webhook.href, secret_token: secret });
  await startWebhook(bot, {
    port: Number(webhook.port),
    hostname: webhook.hostname,
    path: webhook.pathname,
    secretToken: secret,
  });
} else {
  await run(bot);
}
