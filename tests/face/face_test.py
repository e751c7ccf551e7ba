"""A bot of a client library, as it is, lives behind the face, and is killed twenty times under load.

Usage: face_test.py LIBRARY [MODE…]
TGKEEP_PROGRAM is the program, TGKEEP_BUILD a folder to build in; scripts/clients installs the libraries.
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback
import unittest

from judge import judge, read_journal
from stand import TOKEN, Stand, free_port

HERE = pathlib.Path(__file__).parent
BACKLOG = 3  # rounds of updates, from the start on; one more comes in each life of the bot
ENDED = 10  # of the updates that no life before had ended: then the bot is killed
BUILD = pathlib.Path(os.environ.get("TGKEEP_BUILD", tempfile.gettempdir()))
PYTHON = ["/usr/bin/python3", "-B", "-W", "ignore"]


class Mode:
    """`bot`: what the bot is told; `promise`: safe (nothing lost or out of order, what was in flight repeated), kept (nothing
    lost), or nothing; `prefix`: of its API root."""

    def __init__(self, bot, promise="safe", kills=20, prefix="", lease="0s"):
        self.bot, self.promise, self.kills, self.prefix, self.lease = bot, promise, kills, prefix, lease


POLL = Mode("poll")
EARLY_POLL = Mode("poll", "nothing")  # confirms what it has not finished
SETTLE = Mode("settle", prefix="/settle")
WEBHOOK = Mode("webhook")
EARLY_WEBHOOK = Mode("webhook", "nothing")  # answers before it has finished
# An update comes back three times at most.
LEASE = Mode("poll", "kept", kills=3, lease="1m")
LIBRARIES = {
    "grammy": (["node", "node/grammy.mjs"], {"poll": POLL, "settle": SETTLE, "webhook": WEBHOOK}),
    "runner": (["node", "node/runner.mjs"], {"poll": EARLY_POLL, "settle": SETTLE, "lease": LEASE}),
    "telegraf": (["node", "node/telegraf.mjs"], {"poll": POLL, "settle": SETTLE, "webhook": WEBHOOK}),
    "node-telegram-bot-api": (["node", "node/node-telegram-bot-api.mjs"], {"poll": POLL, "settle": SETTLE, "webhook": WEBHOOK}),
    "gramio": (["node", "node/gramio.mjs"], {"poll": EARLY_POLL, "settle": SETTLE, "webhook": WEBHOOK, "lease": LEASE}),
    "python-telegram-bot": ([*PYTHON, "python/python_telegram_bot.py"],
                            {"poll": EARLY_POLL, "settle": SETTLE, "webhook": EARLY_WEBHOOK, "lease": LEASE}),
    "telebot": ([str(BUILD / "telebot_face")],
                {"poll": EARLY_POLL, "settle": SETTLE, "webhook": EARLY_WEBHOOK, "lease": LEASE}),
}
library = sys.argv[1]
command, modes = LIBRARIES[library]


class Journal:
    """What the bot wrote, as far as it has come."""

    def __init__(self, path):
        self.path = path
        self.file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
        self.rest = b""
        self.ended = set()
        self.running = set()

    def read(self):
        *lines, self.rest = (self.rest + os.read(self.file, 1 << 20)).split(b"\n")
        for line in lines:
            what, *update = line.split()
            if what == b"start":
                self.running.add(tuple(update))
            elif what == b"end":
                self.running.discard(tuple(update))
                self.ended.add(tuple(update))

    def note_kill(self):
        self.read()
        self.running.clear()
        os.write(self.file, b"kill\n")


class Run:
    """One mode: its stand, its bot, and what came of it."""

    def __init__(self, mode):
        self.mode = mode
        self.stand = Stand(mode.lease)
        self.folder = tempfile.TemporaryDirectory()
        self.journal = Journal(f"{self.folder.name}/journal")
        self.printed = open(f"{self.folder.name}/printed", "w+b")
        self.environment = dict(os.environ, API_ROOT=self.stand.root + mode.prefix, BOT_TOKEN=TOKEN, MODE=mode.bot,
                                JOURNAL=self.journal.path)
        if mode.bot == "webhook":
            self.environment.update(WEBHOOK_URL=f"http://127.0.0.1:{free_port()}/updates", WEBHOOK_SECRET="A_secret-1")
        self.bot = None

    def start(self):
        # It must not outlive a test that dies.
        self.bot = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *command], cwd=HERE, env=self.environment,
                                    stdout=self.printed, stderr=subprocess.STDOUT)

    def kill(self):
        self.bot.kill()
        self.bot.wait()
        self.journal.note_kill()

    def until(self, reached, pause=0.003):
        end = time.monotonic() + 90
        while True:
            self.journal.read()
            if reached():
                return
            if self.bot.poll() is not None:
                raise AssertionError(f"the bot ended by itself\n{self.words()}")
            if time.monotonic() > end:
                raise AssertionError(f"it did not come to this in 90 s; tgkeep says {self.stand.status()}\n{self.words()}")
            time.sleep(pause)

    def words(self):
        self.printed.seek(0)
        return f"the bot printed:\n{self.printed.read().decode()}\ntgkeep printed:\n{self.stand.printed()}"

    def go(self):
        for _ in range(BACKLOG):
            self.stand.send_round()
        for _ in range(self.mode.kills):
            self.stand.send_round()
            self.start()
            goal = len(self.journal.ended) + ENDED
            # Where updates are lost there may be nothing left to run.
            self.until(lambda: len(self.journal.ended) >= goal and (self.journal.running or self.mode.promise != "safe"))
            self.kill()
        self.start()
        self.until(self.stand.settled, 0.05)
        # What is lost is known when later ones have come and nothing runs.
        self.stand.send_round()
        last = {(b"%d" % chat, b"%d" % number) for chat, number in self.stand.sent.items()}
        self.until(lambda: last <= self.journal.ended and not self.journal.running)
        self.until(self.stand.settled, 0.05)
        self.dead = self.stand.dead()
        return judge(read_journal(self.journal.path), self.stand.sent, self.stand.answers())

    def end(self):
        if self.bot and self.bot.poll() is None:
            self.bot.kill()
            self.bot.wait()
        self.printed.close()
        os.close(self.journal.file)
        self.folder.cleanup()
        return self.stand.stop()


def build_telebot():
    """Debian's packages of Go code are found in a GOPATH."""
    environment = dict(os.environ, GO111MODULE="off", GOPATH="/usr/share/gocode", GOCACHE=str(BUILD / "go_cache"))
    subprocess.run(["go", "build", "-o", command[0], "."], cwd=HERE / "go", env=environment, check=True)


class Outcome:
    """Of one mode: what was judged, or why it came to nothing."""

    def __init__(self, mode):
        began = time.monotonic()
        self.verdict, self.error, self.words = None, None, ""
        try:
            run = Run(mode)
            try:
                self.verdict = run.go()
                self.words = run.words()
            finally:
                self.code = run.end()
            self.dead = run.dead
        except Exception:
            self.error = traceback.format_exc()
        self.seconds = time.monotonic() - began

    def row(self, name, mode):
        verdict = self.verdict
        most = max(map(len, verdict.repeated), default=0)
        return (name, mode.promise, verdict.kills, verdict.sent, len(verdict.lost), verdict.repeats(), most,
                len(verdict.reordered), self.dead, f"{self.seconds:.1f} s")


class Face(unittest.TestCase):
    def test_nothing_is_lost_in_the_safe_modes(self):
        chosen = {name: modes[name] for name in sys.argv[2:] or modes}
        # Side by side: they wait for timers most of the time.
        with concurrent.futures.ThreadPoolExecutor(len(chosen)) as pool:
            outcomes = dict(zip(chosen, pool.map(Outcome, chosen.values())))
        head = ("mode", "promise", "kills", "updates", "lost", "repeated", "by one kill", "out of order", "dead", "time")
        rows = [outcome.row(name, chosen[name]) for name, outcome in outcomes.items() if outcome.verdict]
        for row in (head, *rows):
            print(library, *(str(cell).rjust(12) for cell in row), flush=True)
        for name, mode in chosen.items():
            with self.subTest(mode=name):
                self.check(mode, outcomes[name])

    def check(self, mode, outcome):
        if outcome.error:
            self.fail(outcome.error)
        self.assertEqual((outcome.code, outcome.dead), (0, 0), outcome.words)
        self.assertEqual(outcome.verdict.kills, mode.kills)
        if mode.promise != "nothing":
            self.assertEqual(outcome.verdict.lost, [], outcome.words)
        if mode.promise == "safe":
            self.assertEqual(outcome.verdict.faults(), {}, outcome.words)


if __name__ == "__main__":
    if library == "telebot":
        build_telebot()
    unittest.main(argv=sys.argv[:1])
