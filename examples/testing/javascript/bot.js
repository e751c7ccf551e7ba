import { setTimeout } from 'node:timers/promises';
import { Bot, GrammyError, InlineKeyboard } from 'grammy';

// options: of grammY; the tests point it at the emulator.
export function makeBot(token, options) {
  const bot = new Bot(token, options);

  bot.api.config.use(async (call, method, payload, signal) => {
    const answer = await call(method, payload, signal);
    const seconds = answer.parameters?.retry_after;
    if (seconds === undefined) return answer;
    await setTimeout(seconds * 1000);
    return call(method, payload, signal);
  });

  bot.command('start', (ctx) =>
    ctx.reply('Shall I keep you posted?', { reply_markup: new InlineKeyboard().text('Yes', 'yes').text('No', 'no') }));

  bot.callbackQuery('yes', async (ctx) => {
    await ctx.answerCallbackQuery('Subscribed');
    await ctx.editMessageText('You hear from me.');
  });

  bot.command('all', async (ctx) => {
    for (const id of ctx.match.split(' ').map(Number)) {
      try {
        await ctx.api.sendMessage(id, 'News!');
      } catch (error) {
        if (!(error instanceof GrammyError) || error.error_code !== 403) throw error;
        await ctx.reply(`${id} has blocked me.`);
      }
    }
  });

  return bot;
}
