// grammY's sequentialize alone, in the shape of bench_lanes: two keys an update out of 10⁴, 500 in flight at once, a
// handler that does nothing. Prints updates/s.
const { sequentialize } = require("@grammyjs/runner");

const inFlight = 500;
const millis = 1000 * Number(process.env.SECONDS ?? 2);
const draw = () => "chat:" + Math.floor(Math.random() * 10_000);
const contexts = Array.from({ length: 1 << 16 }, () => ({ keys: [draw(), draw()] }));
const middleware = sequentialize((ctx) => ctx.keys);
const next = async () => {};

async function rounds(until) {
  let count = 0;
  while (Date.now() < until) {
    const running = [];
    for (let i = 0; i < inFlight; i += 1) running.push(middleware(contexts[(count + i) % contexts.length], next));
    await Promise.all(running);
    count += inFlight;
  }
  return count;
}

(async () => {
  await rounds(Date.now() + 500); // the compiler warms up
  const from = process.hrtime.bigint();
  const count = await rounds(Date.now() + millis);
  const took = Number(process.hrtime.bigint() - from) / 1e9;
  console.log(JSON.stringify({ per_s: Math.round(count / took) }));
})();
