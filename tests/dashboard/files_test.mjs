// The files themselves: uPlot is the package's of that version, and the modules that need no browser do their work.
import assert from "node:assert/strict";
import {readFileSync, readdirSync} from "node:fs";
import {createRequire} from "node:module";
import {test} from "node:test";
import {indented} from "../../src/dashboard/page/body_text.js";
import {troubles} from "../../src/dashboard/page/attention.js";
import {ALL, KEPT_S, columns, record} from "../../src/dashboard/page/series.js";
import {brief, bytes, count, many, rate, reason, span} from "../../src/dashboard/page/words.js";
import {bot} from "./stand_in.mjs";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const OURS = "../../src/dashboard/";

test("uPlot is the npm package of its VERSION, with its licence", () => {
  const uplot = createRequire(import.meta.url)
    .resolve("uplot/package.json")
    .replace("package.json", "");
  assert.equal(read(`${OURS}uplot/VERSION`).trim(), JSON.parse(readFileSync(`${uplot}package.json`)).version);
  for (const [file, place] of [
    ["uPlot.iife.min.js", "dist/"],
    ["uPlot.min.css", "dist/"],
    ["LICENSE", ""],
  ])
    assert.equal(read(`${OURS}uplot/${file}`), readFileSync(uplot + place + file, "utf8"), file);
});

test("no module makes HTML of text, runs text, or names another host", () => {
  for (const file of readdirSync(new URL(`${OURS}page`, import.meta.url))) {
    const content = read(`${OURS}page/${file}`);
    assert.doesNotMatch(
      content,
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|DOMParser/,
      file,
    );
    assert.doesNotMatch(content.replace("http://www.w3.org/2000/svg", ""), /https?:\/\//, file);
    assert.doesNotMatch(content, /\sstyle=|\son[a-z]+="/, file);
    assert.ok(content.split("\n").length <= 400, `${file} has more than 400 lines`);
  }
});

test("payloads are indented with every digit and every escape as stored", () => {
  assert.equal(
    indented('{"id":9007199254740993,"a":[1,{"b":"x\\"}{,:\\u0041"}],"e":[],"o":{}}'),
    '{\n  "id": 9007199254740993,\n  "a": [\n    1,\n    {\n      "b": "x\\"}{,:\\u0041"\n    }\n  ],\n  "e": [],\n  "o": {}\n}',
  );
  assert.equal(indented("no JSON {"), "no JSON {");
});

test("indented JSON means the same", () => {
  // Values of all kinds, nested at random; the seed is said when it fails.
  const seed = Number(process.env.SEED ?? Date.now() % 1e6);
  let state = seed;
  const random = (n) => (state = (state * 48271 + 11) % 2147483647) % n;
  const value = (depth) =>
    [
      () => random(1e9) - 5e8,
      () => null,
      () => true,
      () => '"\\\n{}[]:,\u2028é'[random(12)] + random(9),
      () => random(1000) / 8,
      () => Array.from({length: random(4)}, () => value(depth - 1)),
      () => Object.fromEntries(Array.from({length: random(4)}, () => [`k${random(99)}"`, value(depth - 1)])),
    ][random(depth > 0 ? 7 : 5)]();
  for (let i = 0; i < 2000; i += 1) {
    const one = value(4);
    assert.deepEqual(
      JSON.parse(indented(JSON.stringify(one))),
      JSON.parse(JSON.stringify(one)),
      `seed ${seed}, value ${i}`,
    );
  }
});

test("numbers, times and sizes read as people write them", () => {
  assert.deepEqual([count(999999), count(1234567), count(null), count(0)], ["999,999", "1.2M", "–", "0"]);
  assert.deepEqual([0.04, 9.96, 0, 61.4, 3, null].map(rate), ["0", "10", "0", "61", "3", "–"]);
  assert.deepEqual(
    [0, 0.0004, 0.0123, 0.25, 0.9996, 3.24, 9.96, 59.6, 61, 3600, 3725, 90000, null].map(span),
    [
      "0 s",
      "0.40 ms",
      "12 ms",
      "250 ms",
      "1 s",
      "3.2 s",
      "10 s",
      "1 min",
      "1 min 1 s",
      "1 h",
      "1 h 2 min",
      "1 d 1 h",
      "–",
    ],
  );
  assert.deepEqual([30, 90, 5400, 129600].map(brief), ["30 s", "1.5 min", "1.5 h", "1.5 d"]);
  assert.deepEqual([0, 1023, 1536, 64 << 20, 3e12].map(bytes), [
    "0 B",
    "1023 B",
    "1.5 KiB",
    "64.0 MiB",
    "2.7 TiB",
  ]);
  assert.deepEqual(
    [many(1, "call"), many(2, "call"), many(0, "delivery", "deliveries")],
    ["1 call", "2 calls", "0 deliveries"],
  );
  assert.deepEqual(["attempts", "status_404", "my_own_word"].map(reason), [
    "too many attempts",
    "answered 404",
    "my own word",
  ]);
});

test("fifteen minutes are kept, sums and worst cases for all bots, and nothing is drawn across a gap", () => {
  const [one, two] = [bot(1, "a"), bot(2, "b")];
  Object.assign(one.rates, {received_per_s: 1, handling_p99_s: 0.5});
  Object.assign(two.rates, {received_per_s: 2, handling_p99_s: 0.1});
  for (let at = 1; at <= 2000; at += 1) record({bots: [one, two]}, at);
  const all = columns(ALL);
  assert.ok(all.at.length >= KEPT_S && all.at.length < KEPT_S + 60, `${all.at.length} points`);
  assert.equal(all.at.at(-1), 2000);
  assert.deepEqual([all.received.at(-1), all.p99.at(-1), all.p50.at(-1)], [3, 0.5, null]);
  record({bots: [one, two]}, 2100);
  assert.equal(columns(1).received.at(-2), null);
  assert.deepEqual(
    Object.values(columns(1)).map((list) => list.length - columns(1).at.length),
    Array(9).fill(0),
  );
});

test("the worst trouble comes first, and a bot that is well has none", () => {
  const [ill, well] = [bot(1, "ill"), bot(2, "well")];
  ill.inbox.paused = true;
  ill.source.healthy = false;
  const status = {live: true, receiving: true, bots: [ill, well]};
  assert.deepEqual(
    troubles(status, status.bots).map((one) => [one.level, one.key]),
    [
      ["bad", "1-source"],
      ["warn", "1-inbox-paused"],
    ],
  );
});
