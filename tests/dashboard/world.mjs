// A busy world for the stand-in: three bots, of which each has a trouble of its own.
import {bot, item} from "./stand_in.mjs";

export const SHOP = 123456;
export const EVIL = '<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script></pre>';

export function busyWorld() {
  const shop = bot(SHOP, "shop", {outbox: {...bot(1, "").outbox, held: 1, stored: 1}});
  Object.assign(shop.inbox, {
    stored: 5230,
    done: 5000,
    pending: 180,
    retrying: 30,
    in_flight: 6,
    duplicates: 4,
    oldest_s: 410,
    dead: {attempts: 12, expired: 1, status_404: 1},
  });
  shop.face = {
    pulls: true,
    own_webhook: null,
    polls: 7,
    pollers: 1,
    last_poll_s: 0,
    handed_out: 40,
    waiting: 3,
    unconfirmed: 2,
    restarts: 1,
    calls: {
      passed: 900,
      refused: 2,
      not_sent: 0,
      maybe_sent: 1,
      held_back: 0,
      hung_up: 0,
      resent: 0,
      waiting: 4,
      running: 1,
      flooded: 1,
    },
  };
  Object.assign(shop.rates, {
    received_per_s: 61.2,
    done_per_s: 48.7,
    failed_per_s: 1.4,
    handling_p50_s: 0.021,
    handling_p99_s: 0.24,
    put_p99_s: 0.004,
  });
  const support = bot(777, "support_desk");
  Object.assign(support.source, {
    healthy: false,
    problem:
      "Telegram answers 409: another process polls with this token. Stop it, or revoke the token with @BotFather.",
  });
  const news = bot(888, "news", {target: {kind: "push news.internal:3000", reachable: false}});
  news.inbox.paused = true;
  const now = Date.now();
  const update = JSON.stringify({
    update_id: 901,
    message: {message_id: 5, chat: {id: -1001234567890, type: "supergroup", title: EVIL}, text: EVIL},
  });
  return {
    bots: [shop, support, news],
    lanes: [
      {key: "chat:-1001234567890", head: 17, waiting: 42, attempts: 3, running_s: null, due_s: 12.5},
      {key: "chat:42", head: 21, waiting: 4, attempts: 0, running_s: 31.2, due_s: null},
    ],
    in_flight: [
      {seq: 21, update_id: 905, kind: "message", key: "chat:42", attempt: 1, running_s: 31.2, stuck: true},
    ],
    items: [
      item({
        bot: SHOP,
        seq: 17,
        update_id: 901,
        keys: ["chat:-1001234567890"],
        error: `the bot's server answered 500: ${EVIL}`,
        body: update,
      }),
      item({
        bot: SHOP,
        seq: 15,
        update_id: 880,
        kind: "callback_query",
        reason: "expired",
        keys: ["user:7"],
        attempts: 2,
        error: "Telegram no longer takes an answer to this callback_query",
      }),
      item({
        bot: SHOP,
        queue: "outbox",
        seq: 4,
        update_id: 850,
        kind: "sendGift",
        state: "held",
        reason: "",
        keys: ["chat:99"],
        attempts: 1,
        error: "the connection broke after the request was sent",
        corrupt: "its row's checksum does not match",
      }),
    ],
    traces: {
      900: [
        {
          item: item({seq: 17, body: update}),
          calls: [],
          failures: [
            {attempt: 11, at: now - 30000, error: "the bot's server answered 500"},
            {attempt: 12, at: now - 20000, error: EVIL},
          ],
        },
        {
          item: item({
            seq: 40,
            run: 1,
            earlier: 17,
            state: "done",
            reason: "",
            error: "",
            attempts: 0,
            received_at: now - 9000,
            started_at: now - 1200,
            ended_at: now - 1000,
          }),
          failures: [],
          calls: [
            item({
              queue: "outbox",
              seq: 5,
              kind: "sendMessage",
              state: "done",
              error: "",
              body: '{"chat_id":1,"text":"Hello"}',
            }),
          ],
        },
      ],
    },
    job: {running: true, done: 420, replayed: 400, skipped: {replayed: 20}, of: 1234},
  };
}

/** Every view of the shop's bot, and the one of all: [name, hash, section]. */
export const VIEWS = [
  ["all", "#/", "overview"],
  ["now", `#/${SHOP}`, "bot-now"],
  ["chats", `#/${SHOP}/chats`, "chats"],
  ["dead", `#/${SHOP}/dead`, "letters"],
  ["trace", `#/${SHOP}/trace/900`, "trace"],
  ["replay", `#/${SHOP}/replay`, "replay"],
  ["live", `#/${SHOP}/live`, "live"],
];
