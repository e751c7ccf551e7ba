// The usual advice: Express takes the webhook, publishes to a durable RabbitMQ quorum queue, answers 200 after the
// publisher confirm. Prints a line when it listens.
const express = require("express");
const amqp = require("amqplib");

process.stdin.on("end", () => process.exit(0)).resume();
(async () => {
  const connection = await amqp.connect(process.env.AMQP_URL);
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue("updates", { durable: true, arguments: { "x-queue-type": "quorum" } });
  await channel.purgeQueue("updates");
  const app = express();
  app.use(express.raw({ type: "*/*", limit: "1mb" }));
  app.post("/webhook", (req, res) => {
    JSON.parse(req.body);
    channel.sendToQueue("updates", req.body, { persistent: true }, (error) => res.sendStatus(error ? 503 : 200));
  });
  const server = app.listen(0, "127.0.0.1", () => console.log(server.address().port));
})();
