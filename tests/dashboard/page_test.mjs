// The page against a stand-in: what it says and does in states that a real process can't be brought into at will.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import {barriers, excess, go, launch, picture, signIn, visit} from "./browser.mjs";
import {bot, standIn} from "./stand_in.mjs";
import {EVIL, SHOP, VIEWS, busyWorld} from "./world.mjs";

const TOKEN = "a_token-of_letters";
const EVERY_MS = 100;
let browser;

before(async () => (browser = await launch()));
after(() => browser.close());

/** Runs `story` with a page over `world`. */
async function on(world, story, {token = null, ...more} = {}) {
  const server = await standIn(world, {token, every: EVERY_MS});
  const visitor = await visit(browser, server.url, more);
  try {
    await story(visitor.page, server, visitor);
  } finally {
    await server.close();
    await visitor.close();
  }
}

const text = (page, where) => page.locator(where).innerText();
const sees = (page, words) => page.getByText(words).filter({visible: true}).first().waitFor();

test("a wrong token is refused in words, the right one opens, and signing out closes", () =>
  on(
    busyWorld(),
    async (page) => {
      await page.getByLabel("Token").fill("wrong");
      await page.keyboard.press("Enter");
      await sees(page, "This is not the token.");
      assert.equal(await page.locator("#overview").isVisible(), false);
      await signIn(page, TOKEN);
      await page.reload();
      await page.locator("#overview").waitFor();
      await page.getByRole("button", {name: "Sign out"}).click();
      await page.getByRole("heading", {name: "Sign in"}).waitFor();
      await page.reload();
      await page.getByRole("heading", {name: "Sign in"}).waitFor();
    },
    {token: TOKEN},
  ));

test("whoever need not sign in (the Unix socket) sees the bots at once", () =>
  on(busyWorld(), async (page) => {
    await page.locator("#overview").waitFor();
    assert.equal(await page.getByRole("button", {name: "Sign out"}).isVisible(), false);
  }));

test("every trouble is said with its remedy", () => {
  const one = bot(1, "", {error: null});
  Object.assign(one.store, {full: true, disk_free: 3 << 20});
  Object.assign(one.inbox, {oldest_s: 9000, balanced: false});
  Object.assign(one.inbox.runner, {stuck: 100, stuck_pause: true});
  one.source = {...one.source, healthy: false, problem: "the token is wrong: ask @BotFather"};
  one.target.reachable = false;
  return on({bots: [one], process: {receiving: false}}, async (page) => {
    for (const words of [
      "There is no room on the disk",
      "3.0 MiB are left",
      "the token is wrong: ask @BotFather",
      "The target does not answer",
      "has waited for 2 h 30 min",
      "don't add up",
      "Restart the bot",
      "told to drain",
    ])
      await sees(page, words);
    one.store.full = false;
    await page.getByText("There is no room on the disk").waitFor({state: "detached"});
  });
});

test("a bot whose store does not answer is shown with its error", () => {
  const one = bot(1, "", {error: "the database is locked", inbox: null, outbox: null});
  return on({bots: [one]}, (page) => sees(page, "the database is locked"));
});

test("what is empty says so, and what to do", () => {
  const world = {bots: []};
  return on(world, async (page) => {
    await sees(page, "No bot is configured yet.");
    world.bots = [bot(1, "")];
    await sees(page, "Nothing needs you.");
    for (const [hash, section, words] of [
      ["#/1/chats", "chats", "No chat waits"],
      ["#/1/chats", "chats", "Nothing is running."],
      ["#/1/dead", "letters", "No dead updates."],
      ["#/1/live", "live", "Nothing has happened"],
      ["#/1/trace/5", "trace", "Update 5 is not known"],
    ]) {
      await go(page, hash, section);
      await sees(page, words);
    }
  });
});

test("what tgkeep refuses is said where it was asked for", () => {
  const no =
    (words) =>
    (response, {refuse}) =>
      refuse(response, 500, "store_broken", words);
  const world = {
    ...busyWorld(),
    answers: {
      "GET items": no("the items can't be read"),
      "GET lanes": no("the lanes can't be read"),
      "GET trace": no("no trace"),
      "POST pause": no("pausing failed"),
      "POST replay": no("replaying failed"),
    },
  };
  return on(world, async (page) => {
    for (const [view, words] of [
      ["dead", "the items can't be read"],
      ["chats", "the lanes can't be read"],
      ["trace/1", "no trace"],
    ]) {
      await go(page, `#/${SHOP}/${view}`, view === "dead" ? "letters" : view.split("/")[0]);
      await sees(page, words);
    }
    await go(page, `#/${SHOP}`, "bot-now");
    await page.getByRole("button", {name: "Pause inbox"}).click();
    await sees(page, "pausing failed");
    await go(page, `#/${SHOP}/replay`, "replay");
    await page.getByRole("button", {name: "Count them first"}).click();
    await sees(page, "Say at least one of: ids, times, chat.");
    await page.getByLabel("From update_id").fill("1");
    await page.getByRole("button", {name: "Count them first"}).click();
    await sees(page, "replaying failed");
  });
});

test("what strangers wrote is shown as text and runs nothing", () => {
  const world = busyWorld();
  world.bots[0].name = EVIL;
  world.bots[0].source = {...world.bots[0].source, healthy: false, problem: EVIL};
  world.lanes[0].key = EVIL;
  return on(world, async (page, server) => {
    await sees(page, EVIL);
    await go(page, `#/${SHOP}/chats`, "chats");
    await sees(page, EVIL);
    await go(page, `#/${SHOP}/dead`, "letters");
    await page.locator("details.letter").first().click();
    await page.locator("pre.body", {hasText: "supergroup"}).waitFor();
    assert.ok((await text(page, "details.letter[open] pre")).includes('onerror=\\"globalThis.ran=1\\"'));
    await go(page, `#/${SHOP}/trace/900`, "trace");
    await sees(page, EVIL);
    await go(page, `#/${SHOP}/live`, "live");
    server.send("update", {
      bot: SHOP,
      queue: "inbox",
      seq: 1,
      update_id: 1,
      kind: EVIL,
      key: EVIL,
      state: EVIL,
      at: Date.now(),
    });
    await page.locator("#live tbody").getByText(EVIL).first().waitFor();
    assert.equal(await page.evaluate(() => globalThis.ran), undefined);
    assert.equal(await page.locator("main img, main script").count(), 0);
  });
});

test("ids of 63 bits keep all their digits", () =>
  on(busyWorld(), async (page) => {
    const ids = await page.evaluate(async () =>
      (await import("/api.js")).read('{"one":-9007199254740995123,"two":900,"three":1.5}'),
    );
    assert.deepEqual(ids, {one: "-9007199254740995123", two: 900, three: 1.5});
  }));

test("a lost connection is said with its time, and comes back by itself", async () => {
  const world = busyWorld();
  const first = await standIn(world, {every: EVERY_MS});
  const visitor = await visit(browser, first.url);
  await visitor.page.locator("#link.up").waitFor();
  await first.close();
  await visitor.page.getByText(/No connection since \d\d:\d\d:\d\d/).waitFor();
  const second = await standIn(world, {every: EVERY_MS, port: Number(new URL(first.url).port)});
  await visitor.page.locator("#link.up").waitFor();
  await second.close();
  await visitor.close();
});

test("when the stream is refused, the reason is said", () => {
  const world = {...busyWorld(), full: "too many dashboards are open; close some"};
  return on(world, async (page) => {
    await sees(page, "No connection: too many dashboards are open; close some");
    world.full = null;
    await page.locator("#link.up").waitFor();
  });
});

test("the live view can be held, and then shows what it missed", () =>
  on(busyWorld(), async (page, server) => {
    await go(page, `#/${SHOP}/live`, "live");
    const send = (update_id) =>
      server.send("update", {
        bot: SHOP,
        queue: "inbox",
        seq: 1,
        update_id,
        kind: "message",
        key: "chat:1",
        state: "done",
        at: Date.now(),
      });
    send(11);
    await page.getByRole("link", {name: "11", exact: true}).waitFor();
    await page.getByRole("button", {name: "Hold"}).click();
    send(12);
    await sees(page, "1 event since");
    assert.equal(await page.getByRole("link", {name: "12", exact: true}).count(), 0);
    await page.getByRole("button", {name: "Go on"}).click();
    await page.getByRole("link", {name: "12", exact: true}).waitFor();
    await page.getByLabel("Only").fill("nothing such");
    await sees(page, "Nothing of that kind");
  }));

test("the keyboard alone is enough", () =>
  on(busyWorld(), async (page, server) => {
    await page.locator("#overview").waitFor();
    const focused = () =>
      page.evaluate(() => document.activeElement.textContent.trim() || document.activeElement.id);
    const tabTo = async (words) => {
      for (let i = 0; i < 60; i += 1) {
        await page.keyboard.press("Tab");
        if ((await focused()).startsWith(words)) return;
      }
      assert.fail(`Tab never reaches “${words}”`);
    };
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "Skip to content");
    assert.ok(
      (await page.locator(".skip").boundingBox()).y >= 0,
      "the skip link is seen when it has the focus",
    );
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
    await tabTo("shop");
    await page.keyboard.press("Enter");
    await page.locator("#bot-now").waitFor();
    assert.equal(await focused(), "shop", "after a link, the focus is at the title");
    await tabTo("Pause inbox");
    assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), "none");
    await page.keyboard.press("Enter");
    await sees(page, "The inbox of shop is paused");
    assert.equal(await focused(), "Resume inbox", "the focus stays on the button");
    await go(page, `#/${SHOP}/dead`, "letters");
    await tabTo("message");
    await page.keyboard.press("Enter");
    await tabTo("Drop");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    assert.equal(await focused(), "Cancel", "the harmless button is first");
    await page.keyboard.press("Escape");
    assert.equal(await focused(), "Drop", "the focus comes back");
    assert.deepEqual(
      server.asked.filter((one) => one.method === "POST").map((one) => one.what),
      ["pause"],
    );
  }));

for (const [theme, more] of [
  ["light", {colorScheme: "light"}],
  ["dark", {colorScheme: "dark"}],
  ["phone", {colorScheme: "light", viewport: {width: 360, height: 740}, deviceScaleFactor: 2}],
]) {
  test(`every view is without barriers, and fits: ${theme}`, () =>
    on(
      busyWorld(),
      async (page, server) => {
        await picture(page, `${theme}-sign-in`);
        await signIn(page, TOKEN);
        for (const [name, hash, section] of VIEWS) {
          await go(page, hash, section);
          if (name === "dead") {
            await page.locator("details.letter").first().click();
            await page.locator("pre.body", {hasText: "supergroup"}).waitFor();
          }
          if (name === "trace") await page.locator(".line").first().waitFor();
          if (name === "live") {
            server.send("update", {
              bot: SHOP,
              queue: "inbox",
              seq: 1,
              update_id: 1,
              kind: "message",
              key: "chat:-1001234567890",
              state: "done",
              at: Date.now(),
            });
            await page.locator("#live tbody tr").waitFor();
          }
          assert.deepEqual(await barriers(page), [], `${name}: axe`);
          assert.equal(await excess(page), 0, `${name}: no sideways scrolling`);
          await picture(page, `${theme}-${name}`);
        }
      },
      {token: TOKEN, ...more},
    ));
}

test("whoever wants less motion gets none", () =>
  on(
    busyWorld(),
    async (page) => {
      await page.locator("#overview").waitFor();
      assert.equal(
        await page.evaluate(() => getComputedStyle(document.getElementById("said")).transitionDuration),
        "0s",
      );
    },
    {reducedMotion: "reduce"},
  ));
