// The page of a real `tgkeep serve`: what is clicked is asked for at the store, past the page.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import {barriers, excess, go, launch, picture, signIn, visit} from "./browser.mjs";
import {ADMIN_TOKEN, makeHouse, until} from "./house.mjs";

const EVIL = '<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script>';
let house;
let browser;
let visitor;
let page;

before(async () => {
  house = await makeHouse();
  await house.start();
  await house.telegram("users", {id: 5, first_name: "Alice"});
  browser = await launch();
  visitor = await visit(browser, house.url);
  page = visitor.page;
});

after(async () => {
  const log = house?.printed();
  await browser?.close();
  await house?.close();
  if (process.env.SHOW_LOG) console.error(log);
});

const sees = (words) => page.getByText(words).filter({visible: true}).first().waitFor();
const button = (name) => page.getByRole("button", {name, exact: true});
const fact = (card, name) =>
  page
    .locator(".card", {has: page.getByRole("heading", {name: card, exact: true})})
    .locator(".facts > div", {has: page.locator("dt", {hasText: name})})
    .locator("dd");
const shows = (locator, text) => until(async () => (await locator.innerText()) === text);
const idle = (done) =>
  until(async () => {
    const inbox = await house.inbox();
    return inbox.done === done && inbox.pending + inbox.retrying + inbox.in_flight === 0;
  });
const letter = (id) => page.locator("details.letter", {hasText: String(id)});
const BOT = "#/4242";

/** The handler fails at this text; the id of the dead letter. */
async function kill(text) {
  const before = Object.values((await house.inbox()).dead).reduce((all, n) => all + n, 0);
  house.bot.broken = true;
  const id = await house.write(text);
  await until(async () => ((await house.inbox()).dead.status_422 ?? 0) === before + 1);
  house.bot.broken = false;
  return id;
}

test("a wrong token is refused, the right one opens", async () => {
  await page.getByLabel("Token").fill("0123456789abcdef0123456789abcdefX");
  await button("Sign in").click();
  await sees("This is not the token.");
  await signIn(page, ADMIN_TOKEN);
  await sees("Nothing needs you.");
});

test("what is handled is counted, and the live view shows it", async () => {
  const first = await house.write("one");
  await house.write("two");
  await idle(2);
  await shows(fact("Inbox", "Done"), "2");
  await shows(fact("Outbox", "Done"), "2");
  await go(page, `${BOT}/live`, "live");
  await page
    .locator("#live tbody")
    .getByRole("link", {name: String(first)})
    .first()
    .waitFor();
});

test("a dead letter's payload is text; retried, it is handled", async () => {
  const id = await kill(EVIL);
  await go(page, `${BOT}/dead`, "letters");
  await letter(id).locator("summary").click();
  await letter(id).locator("pre", {hasText: "onerror"}).waitFor();
  assert.equal(await page.evaluate(() => globalThis.ran), undefined);
  assert.deepEqual(await barriers(page), []);
  await picture(page, "serve-dead");
  await letter(id).getByRole("button", {name: "Retry"}).click();
  await sees(`Retried update ${id}`);
  await idle(3);
  assert.deepEqual((await house.inbox()).dead.status_422 ?? 0, 0);
  assert.deepEqual(
    house.bot.got.filter((one) => one.id === id).map((one) => one.run),
    [0, 1],
  );
  await sees("No dead updates.");
});

test("a dead letter is dropped by keyboard, but not without a yes", async () => {
  const id = await kill("drop me");
  await button("Look again").press("Enter");
  await letter(id).locator("summary").press("Enter");
  await letter(id).locator("pre", {hasText: "drop me"}).waitFor();
  const tabTo = async (name) => {
    for (let i = 0; i < 10; i += 1) {
      await page.keyboard.press("Tab");
      if ((await page.evaluate(() => document.activeElement.textContent)) === name) return;
    }
    assert.fail(`Tab does not reach ${name}`);
  };
  await tabTo("Drop");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({state: "hidden"});
  assert.equal((await house.inbox()).dead.status_422, 1, "the first button keeps it");
  await page.keyboard.press("Enter");
  await tabTo("Drop it");
  await page.keyboard.press("Enter");
  await sees(`Dropped update ${id}.`);
  const inbox = await house.inbox();
  assert.equal(inbox.dead.status_422 ?? 0, 0);
  assert.equal(
    Object.values(inbox.dropped).reduce((all, n) => all + n, 0),
    1,
  );
});

test("all of a reason are retried at once", async () => {
  for (const text of ["a", "b", "c"]) await kill(text);
  await page.getByLabel("Reason").selectOption("status_422");
  await button("Retry all 3: answered 422").click();
  await button("Retry all").click();
  await sees("Retried 3 items.");
  await idle(6);
});

test("a pause keeps what comes, and what was kept is handled after it", async () => {
  await go(page, BOT, "bot-now");
  await button("Pause inbox").click();
  await sees("The inbox is paused.");
  assert.equal((await house.inbox()).paused, true);
  for (let i = 0; i < 5; i += 1) await house.write(`kept ${i}`);
  await shows(fact("Inbox", "Waiting"), "5");
  await shows(page.locator("#bot-now .tile", {hasText: "Backlog"}).locator(".number"), "5");
  assert.deepEqual([(await house.inbox()).pending, (await house.inbox()).done], [5, 6]);
  await picture(page, "serve-paused");
  await button("Resume inbox").click();
  await idle(11);
  await shows(fact("Inbox", "Waiting"), "0");
  assert.equal((await house.inbox()).paused, false);
});

test("who waits for whom is seen", async () => {
  house.bot.hold = true;
  const id = await house.write("slow");
  await house.write("behind it");
  await go(page, `${BOT}/chats`, "chats");
  await page.getByRole("row", {name: /chat:5 running for .* 1 0/}).waitFor();
  await page.getByRole("link", {name: String(id)}).waitFor();
  await picture(page, "serve-chats");
  house.bot.letGo();
  await idle(13);
});

test("a trace tells the whole life", async () => {
  const id = await kill("traced");
  await house.store("bots/-/retry", {queue: "inbox", all: true, reason: "status_422"});
  await idle(14);
  await until(async () => (await house.store("status")).bots[0].outbox.done === 14);
  await go(page, `${BOT}/trace`, "trace");
  await page.getByLabel("update_id", {exact: true}).fill(String(id));
  await button("Trace").click();
  for (const words of [
    "Run 2: handed over again",
    "Received and stored",
    "answered 422",
    "Done",
    "Call sendMessage: done",
  ])
    await sees(words);
  assert.deepEqual(await barriers(page), []);
  await picture(page, "serve-trace");
});

test("a replay counts first, then hands over again, and not twice", async () => {
  const ids = [await house.write("r1"), await house.write("r2"), await house.write("r3")];
  await idle(17);
  const runs = () => house.bot.got.filter((one) => ids.includes(one.id) && one.run > 0).length;
  await go(page, `${BOT}/replay`, "replay");
  await page.getByLabel("From update_id").fill(String(ids[0]));
  await page.getByLabel("To update_id").fill(String(ids[2]));
  await button("Count them first").click();
  await sees("3 updates match.");
  assert.equal(runs(), 0, "counting hands over nothing");
  await button("Replay 3 updates").click();
  await sees("The last replay");
  await sees("3 replayed");
  await idle(20);
  assert.equal(runs(), 3);
  assert.deepEqual(
    (await house.store(`bots/-/trace/${ids[1]}`)).runs.map((one) => [one.item.run, one.item.state]),
    [
      [0, "done"],
      [1, "done"],
    ],
  );
  await picture(page, "serve-replay");
  const before = (await house.inbox()).stored;
  // The same once more: six match now, the three and what became of them.
  await button("Count them first").click();
  await button("Replay 6 updates").click();
  await sees("6 of 6 looked at, 0 replayed, left out: 6 (replayed before).");
  assert.equal((await house.inbox()).stored, before);
  assert.equal(runs(), 3);
});

test("a call that may have been sent is held, and sent when somebody says so", async () => {
  await house.telegram("faults", {fault: "hang_up_after", methods: ["sendGift"], times: 1});
  house.bot.call = {method: "sendGift", user_id: 5, gift_id: "rose"};
  await house.write("a gift, please");
  const outbox = async () => (await house.store("status")).bots[0].outbox;
  await until(async () => (await outbox()).held === 1);
  house.bot.call = null;
  await go(page, BOT, "bot-now");
  await sees("1 call may or may not have been sent");
  await go(page, `${BOT}/dead`, "letters");
  await page.getByLabel("What", {exact: true}).selectOption("outbox");
  const held = page.locator("details.letter", {hasText: "sendGift"});
  await held.locator("summary").click();
  await held.locator("pre", {hasText: "rose"}).waitFor();
  await picture(page, "serve-held");
  await held.getByRole("button", {name: "Send it again"}).click();
  await sees("Retried the call sendGift");
  await until(async () => (await outbox()).held === 0);
  await house
    .telegram("calls", {method: "sendGift", count: 2, wait: 20})
    .then((calls) => assert.equal(calls.length, 2));
});

test("it all fits a phone, in the dark too", async () => {
  await page.setViewportSize({width: 360, height: 740});
  await page.emulateMedia({colorScheme: "dark"});
  for (const [hash, section] of [
    [BOT, "bot-now"],
    [`${BOT}/chats`, "chats"],
    [`${BOT}/dead`, "letters"],
    [`${BOT}/live`, "live"],
  ]) {
    await go(page, hash, section);
    assert.equal(await excess(page), 0, section);
    assert.deepEqual(await barriers(page), [], section);
    await picture(page, `serve-phone-${section}`);
  }
});

test("when tgkeep goes away the page says so, and goes on when it is back", async () => {
  await house.stop();
  await sees(/No connection since \d\d:\d\d:\d\d/);
  await house.start();
  await until(
    async () => (await page.locator("#link.up").isVisible()) || (await button("Sign in").isVisible()),
  );
});

test("nothing of all this broke the page's policy, asked another host, or was an error", () =>
  visitor.close());
