// A real tgkeep with its own Telegram and a bot's server, to be looked at through the page.
import {spawn} from "node:child_process";
import {once} from "node:events";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import http from "node:http";
import net from "node:net";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {createInterface} from "node:readline";

export const TOKEN = "4242:A_token-of_letters_and_digits_0123";
export const ADMIN_TOKEN = "0123456789abcdef0123456789abcdef_-";
const PROGRAM = process.env.TGKEEP_PROGRAM;

async function freePort() {
  const probe = net.createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const {port} = probe.address();
  probe.close();
  return port;
}

/** Asks over HTTP; the object of the answer. `where` is an URL, or {socketPath, path}. */
function ask(where, body) {
  return new Promise((answer, fail) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const options = {
      method: text === undefined ? "GET" : "POST",
      headers:
        text === undefined
          ? {}
          : {"Content-Type": "application/json", "Content-Length": Buffer.byteLength(text)},
    };
    const done = (response) => {
      let all = "";
      response.setEncoding("utf8");
      response.on("data", (piece) => (all += piece));
      response.on("end", () =>
        response.statusCode < 300
          ? answer(JSON.parse(all))
          : fail(new Error(`${response.statusCode} ${all}`)),
      );
    };
    const request =
      typeof where === "string"
        ? http.request(where, options, done)
        : http.request({...where, ...options}, done);
    request.on("error", fail);
    request.end(text);
  });
}

/** A process that must not outlive this one. */
function start(args, options) {
  return spawn("setpriv", ["--pdeathsig", "KILL", PROGRAM, ...args], options);
}

/** The bot's server: answers each update with a message (or with `call`), unless it is `broken` (422) or told to `hold` what comes. */
async function receiver() {
  const self = {broken: false, hold: false, call: null, got: [], held: []};
  const server = http
    .createServer((request, response) => {
      let text = "";
      request.on("data", (piece) => (text += piece));
      request.on("end", () => {
        const update = JSON.parse(text);
        self.got.push({id: update.update_id, run: Number(request.headers["tgkeep-run"] ?? 0)});
        if (self.broken) return response.writeHead(422).end("the price of this is missing");
        const fine = () =>
          response
            .writeHead(200, {"Content-Type": "application/json"})
            .end(
              JSON.stringify(
                self.call ?? {method: "sendMessage", chat_id: update.message.chat.id, text: "seen"},
              ),
            );
        if (self.hold) self.held.push(fine);
        else fine();
      });
    })
    .listen(0, "127.0.0.1");
  await once(server, "listening");
  self.url = `http://127.0.0.1:${server.address().port}/`;
  self.letGo = () => {
    self.hold = false;
    for (const fine of self.held.splice(0)) fine();
  };
  self.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return self;
}

export async function makeHouse() {
  const folder = mkdtempSync(join(tmpdir(), "tgkeep-dashboard-"));
  const emulator = start(["emulate", "--port", "0", "--bot", TOKEN, "--no-limits"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [first] = await once(createInterface(emulator.stdout), "line");
  const telegram = first.replace("Listening on ", "").trim();
  const bot = await receiver();
  const port = await freePort();
  const config = join(folder, "tgkeep.toml");
  writeFileSync(
    config,
    `folder = "${folder}/data"\napi_root = "${telegram}"\npoll.timeout = "1s"\nhandler = "push"\npush.url = "${bot.url}"
push.statuses = ["422=dead"]\nadmin.listen = "127.0.0.1:${port}"\nlog.level = "warning"\n`,
  );
  let serve = null;
  let printed = "";

  const house = {
    bot,
    url: `http://127.0.0.1:${port}/`,
    telegram: (request, fields = {}) =>
      ask(`${telegram}/control/${request}`, fields).then((said) => said.result),
    /** Asks the store, past the page: over the socket. */
    store: (path, body) => ask({socketPath: `${folder}/data/admin.sock`, path: `/api/${path}`}, body),
    async inbox() {
      return (await house.store("status")).bots[0].inbox;
    },
    /** A user writes; the update's id. */
    async write(text, user = 5) {
      const sent = await house.telegram("send-text", {user, text});
      return sent.updates[0].update_id;
    },
    async start() {
      serve = start(["serve", "--config", config], {
        stdio: ["ignore", "inherit", "pipe"],
        env: {...process.env, TGKEEP_TOKEN: TOKEN, TGKEEP_ADMIN_TOKEN: ADMIN_TOKEN},
      });
      serve.stderr.on("data", (piece) => (printed += piece));
      await until(() =>
        house.store("status").then(
          () => true,
          () => {
            if (serve.exitCode !== null) throw new Error(`tgkeep serve ended:\n${printed}`);
            return false;
          },
        ),
      );
    },
    async stop() {
      if (serve.exitCode !== null) return;
      serve.kill("SIGTERM");
      await once(serve, "exit");
    },
    async close() {
      bot.letGo();
      if (serve) await house.stop();
      emulator.kill("SIGTERM");
      await once(emulator, "exit");
      bot.close();
      rmSync(folder, {recursive: true});
    },
    printed: () => printed,
  };
  return house;
}

/** Waits until `reached` is true; it is asked ten times a second, for at most a minute or so. */
export async function until(reached) {
  for (let i = 0; i < 600; i += 1) {
    if (await reached()) return;
    await new Promise((later) => setTimeout(later, 100));
  }
  throw new Error(`it never came to this: ${reached}`);
}
