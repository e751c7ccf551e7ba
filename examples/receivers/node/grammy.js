// tgkeep pushes updates to a grammY bot with webhookCallback. Run: BOT_TOKEN=… SECRET=… PORT=8080 node grammy.js
import express from "express";
import { Bot, webhookCallback } from "grammy";

const { BOT_TOKEN, API_ROOT = "https://api.telegram.org", SECRET, PORT = "8080", BOT = "./grammy_bot.js" } = process.env;
const { default: middleware } = await import(BOT);

const bot = new Bot(BOT_TOKEN, { client: { apiRoot: API_ROOT } });
bot.use(middleware);
await bot.init(); // else the first update waits for it, for as long as Telegram can't be reached

const app = express(); // Express 5: it answers 500 when a handler rejects
app.use(express.json({ limit: "1mb" })); // the default, 100 kB, answers 413 to a long update
app.post(
  "/updates",
  webhookCallback(bot, "express", {
    secretToken: SECRET, // without it, grammY answers 401 to every request that carries a secret
    // grammY's default is 10 s: it answers 500 then while the handler runs on, so the update would be handled twice at
    // once. tgkeep's own timeout (`push.timeout`) is the one that counts.
    timeoutMilliseconds: Infinity,
  }),
);

const server = app.listen(Number(PORT), "127.0.0.1", (error) => {
  if (error) throw error;
  console.log(`listening on ${server.address().port}`);
});
server.keepAliveTimeout = 125_000; // tgkeep uses a connection again for 118 s; the default, 5 s, cuts some requests off

process.once("SIGTERM", () => server.close(() => process.exit(0)));
