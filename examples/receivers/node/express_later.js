// For work of minutes: the bot answers 202 at once, works, and settles the update at the URL it was given (push.accept_202).
// Run: SECRET=… PORT=8080 node express_later.js
import { setTimeout as sleep } from "node:timers/promises";
import express from "express";

const { PORT = "8080", SECRET = "", RENEW_SECONDS = "60", BOT = "./bot.js" } = process.env;
const { handle } = await import(BOT);

async function settle(url, settlement) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(settlement),
    signal: AbortSignal.timeout(10_000),
  });
  // 4xx is final: the lease has ended or tgkeep was restarted, and the update comes again by itself.
  if (response.status >= 500) throw new Error(`tgkeep answered ${response.status}`);
}

async function work(update, attempt, url) {
  const renewing = setInterval(() => settle(url, { action: "renew" }).catch(console.error), RENEW_SECONDS * 1000);
  const settlement = await handle(update, { attempt }).then(
    () => ({ action: "done" }),
    (error) => ({ action: "retry", error: String(error) }),
  );
  for (let wait = 1; ; wait = Math.min(2 * wait, 30)) {
    try {
      await settle(url, settlement);
      break;
    } catch (error) {
      console.error(error);
      await sleep(wait * 1000);
    }
  }
  clearInterval(renewing);
}

const app = express();

app.use((request, response, next) => {
  if ((request.get("X-Telegram-Bot-Api-Secret-Token") ?? "") === SECRET) next();
  else response.sendStatus(401);
});
app.use(express.json({ limit: "1mb" })); // the default, 100 kB, answers 413 to a long update

app.post("/updates", (request, response) => {
  response.sendStatus(202); // accepted: until it is settled or its lease ends, it stays with us
  void work(request.body, Number(request.get("Tgkeep-Attempt")), request.get("Tgkeep-Settle-Url"));
});

const server = app.listen(Number(PORT), "127.0.0.1", (error) => {
  if (error) throw error;
  console.log(`listening on ${server.address().port}`);
});
server.keepAliveTimeout = 125_000; // tgkeep uses a connection again for 118 s; the default, 5 s, cuts some requests off
