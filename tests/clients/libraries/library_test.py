"""A client library, as it is, does its basic work against tgkeep emulate.

Usage: library_test.py LIBRARY poll|webhook|https [TEST…]
TGKEEP_PROGRAM is the program, TGKEEP_BUILD a folder to build in; scripts/clients installs the libraries.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from emulator import Emulator

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "support"))
from neighbours import free_port  # noqa: E402

SAMPLES = HERE.parents[2] / "botapi/samples"
BUILD = pathlib.Path(os.environ.get("TGKEEP_BUILD", tempfile.gettempdir()))
TOKEN = "4242:A_token-of_letters"
SECRET = "A_secret-1"
COMMANDS = {
    "grammy": ["node", "node/grammy.js"],
    "telegraf": ["node", "node/telegraf.js"],
    "node-telegram-bot-api": ["node", "node/node-telegram-bot-api.js"],
    "gramio": ["node", "node/gramio.js"],
    "python-telegram-bot": ["/usr/bin/python3", "-B", "-W", "ignore", "python/bot.py"],
    "telebot": [str(BUILD / "telebot")],
}
UPDATES = 9
OPTIONS = {"test_it_takes_updates_of_every_kind": ["--lenient", "--no-limits"]}
library, mode = sys.argv[1:3]


def build_telebot():
    """Debian's packages of Go code are found in a GOPATH."""
    made = BUILD / f"telebot_{mode}"
    environment = dict(os.environ, GO111MODULE="off", GOPATH="/usr/share/gocode", GOCACHE=str(BUILD / "go_cache"))
    subprocess.run(["go", "build", "-o", made, "bot.go"], cwd=HERE / "go", env=environment, check=True)
    made.replace(BUILD / "telebot")


def make_certificate(folder):
    """Signed by itself; the names of its file and of its key's."""
    certificate, key = f"{folder}/certificate.pem", f"{folder}/key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-out", certificate, "-keyout", key],
                   check=True, stderr=subprocess.DEVNULL)
    return certificate, key


class Library(unittest.TestCase):
    def setUp(self):
        self.emulator = Emulator("--bot", TOKEN, *OPTIONS.get(self._testMethodName, []))
        self.addCleanup(self.emulator.stop)
        self.emulator.ask("users", id=5, first_name="Alice", language_code="en")
        environment = dict(os.environ, API_ROOT=self.emulator.root, BOT_TOKEN=TOKEN)
        if mode != "poll":
            scheme = "https" if mode == "https" else "http"
            self.url = environment["WEBHOOK_URL"] = f"{scheme}://127.0.0.1:{free_port()}/updates"
            environment["WEBHOOK_SECRET"] = SECRET
        if mode == "https":
            folder = tempfile.TemporaryDirectory()
            self.addCleanup(folder.cleanup)
            environment["WEBHOOK_CERTIFICATE"], environment["WEBHOOK_KEY"] = make_certificate(folder.name)
        self.printed = tempfile.TemporaryFile()
        self.addCleanup(self.printed.close)
        # It must not outlive a test that dies.
        self.bot = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *COMMANDS[library]], cwd=HERE, env=environment,
                                    stdout=self.printed, stderr=subprocess.STDOUT)
        self.addCleanup(self.end)

    def end(self):
        if self.bot.poll() is None:
            self.bot.kill()
        self.bot.wait()
        if any(error for _, error in self._outcome.result.failures + self._outcome.result.errors):
            self.printed.seek(0)
            print(f"{library} printed:", self.printed.read().decode(), sep="\n", file=sys.stderr)

    def ask(self, request, **fields):
        return self.emulator.ask(request, **fields)

    def act(self, request, **fields):
        """Alice does something; what was called before is over."""
        self.seen = self.ask("state")["calls"]
        return self.ask(request, user=5, **fields)

    def call(self, method, number=1):
        """What the bot asked for of this method since Alice's last act, the number-th time."""
        calls = self.ask("calls", method=method, after=self.seen, count=number, wait=60)
        if len(calls) < number:
            came = [(call["method"], call["status"], call.get("answer")) for call in self.ask("calls", after=self.seen)]
            self.fail(f"too few {method}; there came {came}")
        return calls[number - 1]

    def result(self, method):
        call = self.call(method)
        self.assertEqual(call["status"], 200, call)
        return call["answer"]["result"]

    def says(self, text):
        """Alice writes; returns the message that the bot answers."""
        self.act("send-text", text=text)
        return self.result("sendMessage")

    def until(self, reached):
        for _ in range(600):
            if reached():
                return
            time.sleep(0.1)
        self.fail("it did not come to this in a minute")

    def state(self):
        return self.ask("state")["bots"][0]

    def messages(self):
        return {message["message_id"]: message for message in self.ask("messages", chat=5)}

    def test_it_does_its_basic_work(self):
        with self.subTest("a command is answered by a reply"):
            sent = self.says("/start")
            self.assertEqual(sent["text"], "Hello, Alice!")
            self.assertEqual(sent["reply_to_message"]["text"], "/start")

        with self.subTest("text comes back"):
            self.assertEqual(self.says("Grüße, 你好 🍵")["text"], "You said: Grüße, 你好 🍵")

        with self.subTest("a button edits the message it is on"):
            menu = self.says("/menu")
            buttons = menu["reply_markup"]["inline_keyboard"]
            self.assertEqual([button["text"] for row in buttons for button in row], ["Yes", "No"])
            self.act("press-button", data="tea:yes")
            self.assertTrue(self.result("answerCallbackQuery"))
            self.assertEqual(self.call("answerCallbackQuery")["params"]["text"], "Noted: yes")
            self.result("editMessageText")
            edited = self.messages()[menu["message_id"]]
            self.assertEqual(edited["text"], "Tea: yes")
            self.assertIn("edit_date", edited)
            self.assertNotIn("reply_markup", edited)

        with self.subTest("a message is deleted"):
            self.act("send-text", text="/delete", reply_to=menu["message_id"])
            self.assertTrue(self.result("deleteMessage"))
            self.assertNotIn(menu["message_id"], self.messages())

        with self.subTest("a file is uploaded"):
            self.act("send-text", text="/file")
            sent = self.result("sendDocument")
            self.assertEqual(sent["caption"], "A file")
            self.assertEqual(sent["document"]["file_name"], "resume.txt")
            self.assertEqual(sent["document"]["file_size"], len("Résumé\n".encode()))

        with self.subTest("an album is uploaded"):
            self.act("send-text", text="/album")
            first, second = self.result("sendMediaGroup")
            self.assertEqual(first["media_group_id"], second["media_group_id"])
            self.assertEqual(first["photo"][-1]["file_size"], len("first photo"))
            self.assertEqual(second["photo"][-1]["file_size"], len("second photo"))

        with self.subTest("a file is downloaded"):
            self.act("send-media", kind="document", name="notes.txt", mime="text/plain", bytes="Crème brûlée")
            self.assertEqual(self.result("getFile")["file_size"], len("Crème brûlée".encode()))
            self.assertEqual(self.result("sendMessage")["text"], "notes.txt: Crème brûlée")

        with self.subTest("an error is understood"):
            self.act("send-text", text="/wrong")
            self.assertEqual(self.call("sendMessage")["status"], 400)
            self.assertEqual(self.call("sendMessage", 2)["params"]["text"], "400: Bad Request: chat not found")

        with self.subTest("it gets its updates as it was told to"):
            if mode != "poll":
                self.assertEqual(self.state()["webhook"], self.url)
                self.assertFalse(self.ask("calls", method="getUpdates"))
                self.until(lambda: self.state()["pending_updates"] == 0)
                answers = [(delivery["status"], delivery["error"]) for delivery in self.ask("deliveries")]
                # Some set the webhook first and listen then.
                early = [error for status, error in answers if status == 0]
                self.assertEqual(set(early) - {"Connection refused"}, set())
                self.assertEqual([status for status, _ in answers if status != 0], [200] * UPDATES)
            else:
                self.assertIsNone(self.state()["webhook"])
                self.assertTrue(self.ask("calls", method="getUpdates"))

        with self.subTest("it stops when asked"):
            self.bot.send_signal(signal.SIGTERM)
            self.assertIn(self.bot.wait(30), (0, -signal.SIGTERM))

    def test_it_takes_updates_of_every_kind(self):
        # What comes before it listens would wait for a retry.
        self.assertEqual(self.says("/start")["text"], "Hello, Alice!")
        for sample in sorted(SAMPLES.glob("*.json")):
            self.ask("updates", sample=sample.stem)
        self.until(lambda: self.state()["pending_updates"] == 0)
        # Its chat waits for nobody: what else there was is done with, or failed.
        self.ask("users", id=6, first_name="Bob")
        self.ask("send-text", user=6, text="/start")
        answer = self.ask("calls", method="sendMessage", chat=6, wait=60)
        self.assertEqual([call["params"]["text"] for call in answer], ["Hello, Bob!"])
        self.assertIsNone(self.bot.poll())


if __name__ == "__main__":
    if library == "telebot":
        build_telebot()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
