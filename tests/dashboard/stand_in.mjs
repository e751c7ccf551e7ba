// A stand-in for a running tgkeep: the page's files, and the contract of docs/admin_api.md over a world that a test sets.
// For what a real process can't be brought into at will: a full disk, a damaged row, a lost connection, many bots.
import {readFileSync, readdirSync} from "node:fs";
import http from "node:http";
import {fileURLToPath} from "node:url";

const PAGE = fileURLToPath(new URL("../../src/dashboard/", import.meta.url));
const TYPES = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};
export const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

export function queue(more = {}) {
  return {
    stored: 0,
    pending: 0,
    in_flight: 0,
    retrying: 0,
    held: 0,
    done: 0,
    duplicates: 0,
    dead: {},
    dropped: {},
    in_doubt: 0,
    oldest_s: null,
    balanced: true,
    paused: false,
    runner: {
      started: 0,
      running: 0,
      stuck: 0,
      stuck_pause: false,
      flooded: 0,
      retried: 0,
      timed_out: 0,
      heads: 0,
    },
    ...more,
  };
}

export function bot(id, name, more = {}) {
  return {
    id,
    name,
    folder: `/var/lib/tgkeep/${id}`,
    limit: 500,
    error: null,
    source: {
      kind: "poll",
      healthy: true,
      problem: "",
      last_success_s: 0.4,
      received: 0,
      stored: 0,
      duplicates: 0,
      unreadable: 0,
      failures: 0,
    },
    target: {kind: "push 127.0.0.1:3000", reachable: true},
    face: null,
    inbox: queue(),
    outbox: queue(),
    store: {
      epoch: 3,
      file_bytes: 48 << 20,
      wal_bytes: 4 << 20,
      history_bytes: 210 << 20,
      disk_free: 61e9,
      reserve: 64 << 20,
      full: false,
    },
    rates: {
      received_per_s: 0,
      done_per_s: 0,
      failed_per_s: 0,
      calls_per_s: 0,
      handling_p50_s: null,
      handling_p99_s: null,
      put_p99_s: null,
    },
    ...more,
  };
}

export function item(more) {
  const now = Date.now();
  return {
    queue: "inbox",
    seq: 1,
    state: "dead",
    bot: 1,
    update_id: 900,
    run: 0,
    earlier: 0,
    origin: 0,
    call: 0,
    kind: "message",
    keys: ["chat:1"],
    reason: "attempts",
    error: "HTTP 500",
    attempts: 12,
    crashes: 0,
    starts: 11,
    received_at: now - 60000,
    due_at: null,
    started_at: null,
    ended_at: now - 1000,
    corrupt: "",
    body: '{"update_id":900}',
    ...more,
  };
}

function files() {
  const found = new Map();
  for (const folder of ["page", "uplot"])
    for (const name of readdirSync(PAGE + folder))
      found.set(name === "index.html" ? "/" : folder === "page" ? `/${name}` : `/uplot/${name}`, {
        type: TYPES[name.split(".").at(-1)] ?? "text/plain; charset=utf-8",
        bytes: readFileSync(`${PAGE}${folder}/${name}`),
      });
  return found;
}

/** `world`: {bots, lanes, in_flight, items, traces, job, tick(world)}, all optional; `token`: absent, nobody has to sign in. */
export async function standIn(world, {token = null, every = 1000, port = 0} = {}) {
  const assets = files();
  const streams = new Set();
  const asked = [];
  const status = () => ({
    version: "0.1.0",
    live: true,
    pid: 4711,
    started_at: Date.now() - 90061000,
    uptime_s: 90061,
    receiving: true,
    stopping: false,
    ...world.process,
    bots: world.bots ?? [],
  });

  function reply(response, code, body, headers = {}) {
    response.writeHead(code, {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      "Content-Security-Policy": CSP,
      ...headers,
    });
    response.end(body === null ? "" : JSON.stringify(body));
  }
  const refuse = (response, code, name, text) => reply(response, code, {error: {code: name, text}});

  function answer(request, response, url, body) {
    const [, , , id, what, ...rest] = url.pathname.split("/");
    const one = (world.bots ?? []).find((each) => String(each.id) === id);
    if (!one) return refuse(response, 404, "not_found", "there is no such bot");
    asked.push({
      method: request.method,
      what: [what, ...rest].join("/"),
      query: Object.fromEntries(url.searchParams),
      body,
    });
    const custom = world.answers?.[`${request.method} ${what}`];
    if (custom) return custom(response, {reply, refuse, body, rest, one, query: url.searchParams});
    const items = (world.items ?? []).filter((each) => each.bot === one.id);
    switch (`${request.method} ${what}`) {
      case "GET lanes":
        return reply(response, 200, {lanes: world.lanes ?? [], in_flight: world.in_flight ?? []});
      case "GET items": {
        if (rest.length === 2) {
          const found = items.find((each) => each.queue === rest[0] && String(each.seq) === rest[1]);
          return found
            ? reply(response, 200, found)
            : refuse(response, 404, "not_found", "there is no such item");
        }
        const states = (url.searchParams.get("state") ?? "").split(",");
        const reason = url.searchParams.get("reason");
        const found = items.filter(
          (each) =>
            each.queue === url.searchParams.get("queue") &&
            states.includes(each.state) &&
            (!reason || each.reason === reason),
        );
        return reply(response, 200, {items: found.map((each) => ({...each, body: null})), next: null});
      }
      case "GET trace":
        return reply(response, 200, {update_id: Number(rest[0]), runs: world.traces?.[rest[0]] ?? []});
      case "GET replay":
        return reply(response, 200, world.job ?? null);
      case "POST pause":
      case "POST resume":
        one[body.queue].paused = what === "pause";
        return reply(response, 200, {paused: {inbox: one.inbox.paused, outbox: one.outbox.paused}});
      default:
        return refuse(response, 404, "not_found", "there is nothing at this address");
    }
  }

  const server = http.createServer((request, response) => {
    const url = new URL(request.url, "http://stand-in");
    const asset = assets.get(url.pathname);
    if (asset) {
      response.writeHead(200, {
        "Content-Type": asset.type,
        "Content-Security-Policy": CSP,
        "X-Content-Type-Options": "nosniff",
      });
      return response.end(asset.bytes);
    }
    let text = "";
    request.on("data", (piece) => (text += piece));
    request.on("end", () => {
      const body = text ? JSON.parse(text) : {};
      if (url.pathname === "/login")
        return body.token === token
          ? reply(response, 200, {}, {"Set-Cookie": `session=${token}; HttpOnly; SameSite=Strict; Path=/`})
          : refuse(response, 401, "unauthorized", "this is not the token");
      if (token && !request.headers.cookie?.includes(`session=${token}`))
        return refuse(response, 401, "unauthorized", "sign in first");
      if (url.pathname === "/logout")
        return reply(response, 200, {}, {"Set-Cookie": "session=; Max-Age=0; Path=/"});
      if (url.pathname === "/api/status") return reply(response, 200, status());
      if (url.pathname === "/api/events") {
        if (world.full) return refuse(response, 429, "too_many_watchers", world.full);
        response.writeHead(200, {"Content-Type": "text/event-stream", "Cache-Control": "no-store"});
        streams.add(response);
        response.on("close", () => streams.delete(response));
        return tick();
      }
      if (url.pathname.startsWith("/api/bots/")) return answer(request, response, url, body);
      return refuse(response, 404, "not_found", "there is nothing at this address");
    });
  });

  function send(event, data) {
    for (const stream of streams) stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }
  function tick() {
    world.tick?.(world, send);
    send("status", status());
  }
  await new Promise((ready) => server.listen(port, "127.0.0.1", ready));
  let timer = setInterval(tick, every);
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    asked,
    tick,
    send,
    /** Says nothing more, as a dead process does. */
    async close() {
      clearInterval(timer);
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
