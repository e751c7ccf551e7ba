"""An operator's story: installs the package, configures a bot, puts its webhook behind nginx with TLS, loses the bot for a
while, is alerted, sees the backlog drain, retries dead letters, upgrades, and finds every update accounted for.

Time in the alert rules is shortened, so that minutes are seconds; nothing else is.

Usage: story_test.py SOURCE_DIR PROGRAM PACKAGES
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

from bot_server import BotServer
from installed import (BACKUPS, CONFIG, ENVIRONMENT, SKIP, TOKEN, Emulator, Service, as_service, expect,
                       packages, remove_all_traces, run, skip_unless_free, wait_for)
from neighbours import Nginx, free_port, tool

root = pathlib.Path(sys.argv[1]).resolve()
program = pathlib.Path(os.environ.get("TGKEEP_BIN") or sys.argv[2]).resolve()
BOT_TOKEN = "4242:" + "A" * 35
ADMIN_TOKEN = "0123456789abcdef0123456789abcdef"
CHATS = 6
FASTER = 100  # by how much the rules' time is shortened


def status():
    return json.loads(run(*as_service("tgkeep", "status", "--json", "--config", str(CONFIG))))


def inbox():
    return status()["bots"][0]["inbox"]


class Prometheus:
    """Prometheus with deploy/prometheus/alerts.yml, whose seconds are hundredths here."""

    def __init__(self, scratch, target):
        rules = (root / "deploy/prometheus/alerts.yml").read_text()
        (scratch / "rules.yml").write_text(faster(rules))
        (scratch / "admin_token").write_text(ADMIN_TOKEN)
        (scratch / "prometheus.yml").write_text(
            "global: {scrape_interval: 500ms, scrape_timeout: 500ms, evaluation_interval: 250ms}\n"
            f"rule_files: [{scratch}/rules.yml]\n"
            "scrape_configs:\n- job_name: tgkeep\n"
            f"  authorization: {{credentials_file: {scratch}/admin_token}}\n"
            f"  static_configs: [{{targets: ['{target}']}}]\n")
        self.port = free_port()
        self._log = open(scratch / "prometheus.log", "w")
        self._process = subprocess.Popen(
            [tool("prometheus"), f"--config.file={scratch}/prometheus.yml", f"--storage.tsdb.path={scratch}/data",
             f"--web.listen-address=127.0.0.1:{self.port}"], stdout=self._log, stderr=self._log)

    def firing(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/alerts", timeout=10) as answer:
                alerts = json.load(answer)["data"]["alerts"]
        except OSError:
            return set()
        return {alert["labels"]["alertname"] for alert in alerts if alert["state"] == "firing"}

    def stop(self):
        self._process.terminate()
        self._process.wait(timeout=20)


def faster(rules):
    """Durations, and what seconds are compared with, divided by FASTER."""
    units = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}

    def shorter(found):
        return f"{found[1]}{max(1, int(found[2]) * units[found[3]] // FASTER)}ms"
    rules = re.sub(r"(for: |offset |\[)(\d+)(ms|s|m|h|d)\b", shorter, rules)
    return re.sub(r"(_seconds\b[^<>\n]*[<>] )(\d+)", lambda found: f"{found[1]}{int(found[2]) / FASTER}", rules)


def configure(scratch, nginx, back, bot, admin, emulator):
    """As an operator would: only what differs from the defaults."""
    TOKEN.write_text(BOT_TOKEN + "\n")
    secrets = {"webhook_secret": "a_secret_of_the_webhook", "push_secret": "a_secret_of_the_push", "admin_token": ADMIN_TOKEN}
    for name, secret in secrets.items():
        path = CONFIG.parent / name
        path.write_text(secret + "\n")
        run("chown", "root:tgkeep", path)
        run("chmod", "0640", path)
    certificate = CONFIG.parent / "certificate.pem"
    certificate.write_text(nginx.certificate.read_text())
    settings = {
        "": {"source": "webhook", "handler": "push", "api_root": emulator.url},
        "listen": {"port": back},
        "webhook": {"path": "/telegram/bot", "own": True, "url": f"https://127.0.0.1:{nginx.port}/telegram/bot",
                    "certificate": str(certificate), "secret_file": str(CONFIG.parent / "webhook_secret")},
        "push": {"url": f"http://127.0.0.1:{bot.port}/", "secret_file": str(CONFIG.parent / "push_secret")},
        "inbox": {"first_delay": "100ms", "max_attempts": 3},
        "admin": {"listen": f"127.0.0.1:{admin}", "token_file": str(CONFIG.parent / "admin_token")},
    }
    section, lines = "", []
    for line in CONFIG.read_text().splitlines():
        if found := re.fullmatch(r"\[([a-z]+)\]", line):
            section = found[1]
        elif (found := re.match(r"([a-z_]+) = ", line)) and found[1] in settings.get(section, {}):
            line = f"{found[1]} = {json.dumps(settings[section].pop(found[1]))}"
        lines.append(line)
    expect(not any(settings.values()), f"the defaults file lacks {settings}")
    CONFIG.write_text("\n".join(lines) + "\n")
    run(*as_service("tgkeep", "config", "check", "--config", str(CONFIG)))


class Sender:
    """People who write to the bot, and what they wrote, by chat."""

    def __init__(self, emulator):
        self._emulator = emulator
        self.sent = {}

    def write(self, words, count):
        for number in range(count):
            user = number % CHATS + 1
            text = f"{words} {number}"
            self._emulator.ask("send-text", f"user={user}", f"text={text}")
            self.sent.setdefault(user, []).append(text)

    def count(self):
        return sum(map(len, self.sent.values()))


def alert(prometheus, name):
    wait_for(lambda: f"{name} fires; firing are {prometheus.firing()}", lambda: name in prometheus.firing())
    print(f"alert: {name}")


def all_done(people, log):
    wait_for(lambda: f"{people.count()} done: {status()}\n{log.read_text()[-3000:]}",
             lambda: inbox()["done"] == people.count())


def story(scratch, emulator, bot, stops):
    old, new = packages(sys.argv[3])
    run("dpkg", "-i", old)
    back, admin = free_port(), free_port()
    nginx = Nginx(scratch, back)
    stops.append(nginx.stop)
    configure(scratch, nginx, back, bot, admin, emulator)
    people = Sender(emulator)
    log = scratch / "tgkeep.log"
    service = Service(log)
    stops.append(lambda: service.stop())
    service.says("webhook_registered")
    prometheus = Prometheus(scratch, f"127.0.0.1:{admin}")
    stops.append(prometheus.stop)

    # A usual day.
    bot.up()
    people.write("good morning", 30)
    all_done(people, log)
    expect(not prometheus.firing() - {"TgkeepDown"}, f"firing on a usual day: {prometheus.firing()}")
    print("30 updates came through nginx and were handled")

    # The bot is away.
    bot.down()
    people.write("is anybody there", 60)
    wait_for("all are stored", lambda: inbox()["stored"] == 90)
    wait_for("the target is seen to be away", lambda: not status()["bots"][0]["target"]["reachable"])
    alert(prometheus, "TgkeepTargetUnreachable")
    alert(prometheus, "TgkeepBacklogOld")
    now = inbox()
    expect(now["done"] == 30 and not now["dead"], f"something is given up while the bot is away: {now}")

    # It comes back with a fault.
    bot.faulty = True
    bot.up()
    all_done(people, log)
    wait_for("the alerts end", lambda: not prometheus.firing())
    for chat, texts in people.sent.items():
        expect(bot.seen()[chat] == texts, f"chat {chat} got {bot.seen()[chat]} instead of {texts}")
    print("the backlog has drained, each chat in its order")
    people.write("my order", 12)
    wait_for("they are dead letters", lambda: sum(inbox()["dead"].values()) == 12)
    alert(prometheus, "TgkeepDeadLetters")
    expect(len(json.loads(run(*as_service("tgkeep", "dead", "ls", "--json", "--config", str(CONFIG))))["items"]) == 12,
           "dead ls does not list them")

    # The fault is mended.
    bot.faulty = False
    run(*as_service("tgkeep", "dead", "retry", "--all", "--config", str(CONFIG)))
    all_done(people, log)
    print("dead letters were retried")

    # A backup of the running process, looked at, and restored to see that it can be.
    copy, restored = BACKUPS / "before_upgrade", scratch / "restored"
    run(*as_service("tgkeep", "backup", str(copy), "--config", str(CONFIG)))
    run(*as_service("tgkeep", "check", str(copy)))
    run("tgkeep", "restore", copy, restored)
    again = json.loads(run("tgkeep", "status", "--json", "--folder", restored))["bots"][0]["inbox"]
    expect(again["done"] == people.count() and again["balanced"], f"restored: {again}")
    print("a backup was made, checked and restored")

    # Upgrade: people go on writing while it is down.
    expect(service.stop() == 0, "the stop was not clean")
    run("dpkg", "-i", new)
    people.write("are you new", 12)
    log = scratch / "upgraded.log"
    service = Service(log)
    service.says(" started ")
    all_done(people, log)

    last = status()["bots"][0]
    received = sum(map(len, bot.seen().values()))
    expect(last["inbox"]["stored"] == last["inbox"]["done"] == people.count() and last["inbox"]["balanced"]
           and not last["inbox"]["dead"] and not last["inbox"]["dropped"], f"not accounted for: {last}")
    expect({chat: sorted(texts) for chat, texts in bot.seen().items()}
           == {chat: sorted(texts) for chat, texts in people.sent.items()} and received == people.count(),
           "the bot has got something else than people wrote")
    print(f"{people.count()} updates were sent, stored, done and accounted for")


skip_unless_free()
if missing := [name for name in ("nginx", "openssl", "prometheus") if not tool(name)]:
    print("there is no", *missing)
    sys.exit(SKIP)
with tempfile.TemporaryDirectory() as folder:
    emulator = Emulator(program, BOT_TOKEN, "--speed", "30")
    bot = BotServer(free_port())
    stops = [emulator.stop, bot.down]
    try:
        story(pathlib.Path(folder), emulator, bot, stops)
    finally:
        for stop in reversed(stops):
            stop()
        remove_all_traces()
