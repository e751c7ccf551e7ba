// tgkeep pushes updates to a bot behind Express 5. Run: SECRET=… PORT=8080 node express.js
import express from "express";

const { PORT = "8080", SECRET = "", BOT = "./bot.js" } = process.env;
const { handle } = await import(BOT);

const app = express();

app.use((request, response, next) => {
  if ((request.get("X-Telegram-Bot-Api-Secret-Token") ?? "") === SECRET) next();
  else response.sendStatus(401);
});
app.use(express.json({ limit: "1mb" })); // the default, 100 kB, answers 413 to a long update

app.post("/updates", async (request, response) => {
  const attempt = Number(request.get("Tgkeep-Attempt"));
  await handle(request.body, { attempt }); // Express 5 answers 500 when this rejects; Express 4 does not answer at all
  response.sendStatus(200); // only now: 200 means done
});

const server = app.listen(Number(PORT), "127.0.0.1", (error) => {
  if (error) throw error;
  console.log(`listening on ${server.address().port}`);
});
server.keepAliveTimeout = 125_000; // tgkeep uses a connection again for 118 s; the default, 5 s, cuts some requests off

process.once("SIGTERM", () => server.close(() => process.exit(0)));
