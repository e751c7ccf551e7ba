// grammY runner with sequentialize by chat against a canned getUpdates server; no-op handler, nothing stored. Rate
// over SECONDS after WARM seconds. With IDLE it only polls, until its input ends.
const { Bot } = require("grammy");
const { run, sequentialize } = require("@grammyjs/runner");

const warm = 1000 * Number(process.env.WARM ?? 1);
const seconds = Number(process.env.SECONDS ?? 4);
let done = 0;

const bot = new Bot("1:x", {
  botInfo: { id: 1, is_bot: true, first_name: "b", username: "b_bot" },
  client: { apiRoot: process.env.API_ROOT },
});
bot.use(sequentialize((ctx) => String(ctx.chat.id)));
bot.on("message", () => { done += 1; });
run(bot);

process.stdin.on("end", () => process.exit(0)).resume();
if (process.env.IDLE === undefined) {
  setTimeout(() => {
    const [from, at, cpu] = [done, process.hrtime.bigint(), process.cpuUsage()];
    setTimeout(() => {
      const took = Number(process.hrtime.bigint() - at) / 1e9;
      const used = process.cpuUsage(cpu);
      const count = done - from;
      console.log(JSON.stringify({
        per_s: Math.round(count / took),
        cpu_us: (used.user + used.system) / count,
      }));
      process.exit(0);
    }, 1000 * seconds);
  }, warm);
}
