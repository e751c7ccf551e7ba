"""tgkeep emulate as a process of a test, and its control requests."""
import json
import os
import subprocess
import urllib.error
import urllib.request


class Refused(Exception):
    """The emulator's words."""


class Emulator:
    def __init__(self, *options):
        command = [os.environ["TGKEEP_PROGRAM"], "emulate", "--port", "0", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        first = self.process.stdout.readline()
        if not first.startswith("Listening on "):
            raise RuntimeError(f"tgkeep emulate printed {first!r}")
        self.root = first.removeprefix("Listening on ").strip()

    def ask(self, request, **fields):
        asked = urllib.request.Request(f"{self.root}/control/{request}", json.dumps(fields).encode(),
                                       {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(asked, timeout=120) as answer:
                return json.load(answer)["result"]
        except urllib.error.HTTPError as error:
            raise Refused(json.load(error)["description"]) from None

    def stop(self):
        self.process.terminate()
        self.process.wait(10)
        self.process.stdout.close()
