// tgkeep pushes updates to a bot behind Fastify. Run: SECRET=… PORT=8080 node fastify.js
import Fastify from "fastify";

const { PORT = "8080", SECRET = "", BOT = "./bot.js" } = process.env;
const { handle } = await import(BOT);

// tgkeep uses a connection again for 118 s; the default, 72 s, cuts a few requests off.
const app = Fastify({ keepAliveTimeout: 125_000 });

app.addHook("onRequest", async (request, reply) => {
  if ((request.headers["x-telegram-bot-api-secret-token"] ?? "") !== SECRET) return reply.code(401).send();
});

app.post("/updates", async (request, reply) => {
  const attempt = Number(request.headers["tgkeep-attempt"]);
  await handle(request.body, { attempt }); // when this rejects, Fastify answers 500, or the error's own statusCode
  return reply.code(200).send(); // only now: 200 means done
});

await app.listen({ host: "127.0.0.1", port: Number(PORT) });
console.log(`listening on ${app.server.address().port}`);

process.once("SIGTERM", () => app.close().then(() => process.exit(0)));
