"""tgkeep emulate as Telegram, tgkeep serve with its face before it, and the updates that people send."""
import http.client
import json
import os
import pathlib
import random
import socket
import subprocess
import sys
import tempfile
import time

tests = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(tests / "clients/libraries"), str(tests / "support")]
from emulator import Emulator  # noqa: E402
from neighbours import free_port  # noqa: E402

TOKEN = "4242:A_token-of_letters_long_enough"
FIRST_CHAT = 1000
CHATS = 12
# Two that take long, so that much is in flight beside them.
LONG = {(FIRST_CHAT + 3, 5): 1000, (FIRST_CHAT + 8, 9): 1500}


class AdminSocket(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=60)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Stand:
    def __init__(self, lease):
        self.folder = tempfile.TemporaryDirectory()
        self.emulator = Emulator("--bot", TOKEN, "--lenient", "--no-limits")
        self.port = free_port()
        self.root = f"http://127.0.0.1:{self.port}"
        config = pathlib.Path(self.folder.name) / "tgkeep.toml"
        config.write_text(f"""api_root = "{self.emulator.root}"
folder = "{self.folder.name}/data"
handler = "pull"
pull.lease = "{lease}"
face.listen = "127.0.0.1:{self.port}"
inbox.first_delay = "100ms"
log.level = "warning"
""", encoding="utf-8")
        self.log = open(f"{self.folder.name}/log", "w+b")
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", os.environ["TGKEEP_PROGRAM"], "serve", "-c", str(config)],
            env=dict(os.environ, TGKEEP_TOKEN=TOKEN), stdout=self.log, stderr=subprocess.STDOUT)
        self.wait_for_the_face()
        self.random = random.Random(7)
        self.sent = {FIRST_CHAT + chat: 0 for chat in range(CHATS)}

    def wait_for_the_face(self):
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        words = self.printed()
        self.stop()
        raise RuntimeError(f"tgkeep serve opened no face; it printed:\n{words}")

    def stop(self):
        self.process.terminate()
        code = self.process.wait(60)
        self.emulator.stop()
        self.log.close()
        self.folder.cleanup()
        return code

    def printed(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def send_round(self):
        """One update to each chat."""
        updates = []
        for chat in self.sent:
            self.sent[chat] += 1
            number = self.sent[chat]
            milliseconds = LONG.get((chat, number), self.random.randint(1, 25))
            person = {"id": chat, "first_name": "Alice"}
            updates.append({"message": {"message_id": number, "date": 1_764_000_000, "text": f"{number} {milliseconds}",
                                        "chat": dict(person, type="private"), "from": dict(person, is_bot=False)}})
        self.emulator.ask("updates", updates=updates)

    def status(self):
        admin = AdminSocket(f"{self.folder.name}/data/admin.sock")
        try:
            admin.request("GET", "/api/status")
            return json.load(admin.getresponse())["bots"][0]
        finally:
            admin.close()

    def settled(self):
        """Telegram holds nothing, and tgkeep waits for nothing."""
        if self.emulator.ask("state")["bots"][0]["pending_updates"]:
            return False
        inbox = self.status()["inbox"]
        ended = inbox["done"] + sum(inbox["dead"].values())
        return ended >= sum(self.sent.values()) and not (inbox["pending"] or inbox["in_flight"] or inbox["retrying"])

    def dead(self):
        return sum(self.status()["inbox"]["dead"].values())

    def answers(self):
        """(chat, number) of those that succeeded, in their order."""
        calls = self.emulator.ask("calls", method="sendMessage")
        return [(int(call["params"]["chat_id"]), int(call["params"]["text"])) for call in calls if call["status"] == 200]
