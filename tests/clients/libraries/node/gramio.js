import { File } from 'node:buffer';
import { createServer } from 'node:http';
import { Bot, InlineKeyboard, MediaInput, MediaUpload, TelegramError, webhookHandler } from 'gramio';
import { apiRoot, secret, stopOnSignal, token, webhook } from './settings.js';

// Node.js 18 has it, but not where gramio looks.
globalThis.File ??= File;

const bot = new Bot(token, { api: { baseURL: `${apiRoot}/bot` } });

bot.command('start', (context) =>
  context.reply(`Hello, ${context.from.firstName}!`));
bot.command('menu', (context) => context.send('Tea?', {
  reply_markup: new InlineKeyboard().text('Yes', 'tea:yes').text('No', 'tea:no'),
}));
bot.callbackQuery(/^tea:(.+)$/, async (context) => {
  await context.answer({ text: `Noted: ${context.queryData[1]}` });
  await context.editText(`Tea: ${context.queryData[1]}`);
});
bot.command('delete', (context) => bot.api.deleteMessage({
  chat_id: context.chat.id,
  message_id: context.replyMessage.id,
}));
bot.command('file', (context) =>
  context.sendDocument(MediaUpload.text('Résumé\n', 'resume.txt'), { caption: 'A file' }));
bot.command('album', (context) => context.sendMediaGroup([
  MediaInput.photo(MediaUpload.buffer(Buffer.from('first photo'), 'a.jpg'), { caption: 'Two' }),
  MediaInput.photo(MediaUpload.buffer(Buffer.from('second photo'), 'b.jpg')),
]));
bot.command('wrong', async (context) => {
  const answer = await bot.api.sendMessage({ chat_id: 424_242, text: 'Is anybody there?', suppress: true });
  if (answer instanceof TelegramError) await context.send(`${answer.code}: ${answer.message}`);
});
bot.on('message', async (context) => {
  if (context.document) {
    const bytes = await context.download();
    await context.send(`${context.document.fileName}: ${Buffer.from(bytes).toString()}`);
  } else if (context.text && !context.text.startsWith('/')) {
    await context.send(`You said: ${context.text}`);
  }
});

if (webhook) {
  const server = createServer(webhookHandler(bot, 'http', secret));
  server.listen(Number(webhook.port), webhook.hostname);
  await bot.start({ webhook: { url: webhook.href, secret_token: secret } });
  stopOnSignal(() => server.close());
} else {
  stopOnSignal(() => bot.stop());
  await bot.start();
}
