// A bot as its library makes it, polling by itself, with a handler that does nothing: LIBRARY grammy or telegraf, at
// API_ROOT, nothing stored. Rate over SECONDS after WARM seconds.
const warm = 1000 * Number(process.env.WARM ?? 1);
const seconds = Number(process.env.SECONDS ?? 4);
const apiRoot = process.env.API_ROOT;
const botInfo = { id: 1, is_bot: true, first_name: "b", username: "b_bot" };
let done = 0;
const count = () => { done += 1; };

if (process.env.LIBRARY === "grammy") {
  const { Bot } = require("grammy");
  const bot = new Bot("1:x", { botInfo, client: { apiRoot } });
  bot.on("message", count);
  bot.start();
} else {
  const { Telegraf } = require("telegraf");
  const bot = new Telegraf("1:x", { telegram: { apiRoot } });
  bot.botInfo = botInfo;
  bot.on("message", count);
  bot.launch();
}

process.stdin.on("end", () => process.exit(0)).resume();
setTimeout(() => {
  const [from, at] = [done, process.hrtime.bigint()];
  setTimeout(() => {
    const took = Number(process.hrtime.bigint() - at) / 1e9;
    console.log(JSON.stringify({ per_s: Math.round((done - from) / took) }));
    process.exit(0);
  }, 1000 * seconds);
}, warm);
