import json
import subprocess
import unittest
import urllib.request

from bot import make_updater

TOKEN = "4242:any_letters"


class BotTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.emulator = subprocess.Popen(["tgkeep", "emulate", "--port", "0", "--bot", TOKEN],
                                        stdout=subprocess.PIPE, text=True)
        cls.root = cls.emulator.stdout.readline().removeprefix("Listening on ").strip()
        cls.updater = make_updater(TOKEN, cls.root)
        cls.updater.start_polling(timeout=1)

    @classmethod
    def tearDownClass(cls):
        cls.updater.stop()
        cls.emulator.terminate()
        cls.emulator.wait()
        cls.emulator.stdout.close()

    def setUp(self):
        self.ask("reset")

    def ask(self, request, **fields):
        asked = urllib.request.Request(f"{self.root}/control/{request}", json.dumps(fields).encode())
        with urllib.request.urlopen(asked) as answer:
            return json.load(answer)["result"]

    def calls(self, method, count=1):
        """What the bot has called, once there are so many calls of this method."""
        made = self.ask("calls", method=method, count=count, wait=10)
        self.assertEqual(len(made), count)
        return made

    def test_a_language_can_be_chosen(self):
        self.ask("send-text", user=5, text="/start")
        self.calls("sendMessage")
        self.ask("press-button", user=5, text="Français")
        self.calls("editMessageText")
        self.assertEqual(self.ask("messages", chat=5)[-1]["text"], "Bienvenue !")

    def test_words_of_a_file_are_counted(self):
        self.ask("send-media", user=5, kind="document", name="a.txt", mime="text/plain", bytes="one two three")
        self.assertEqual(self.calls("sendMessage")[0]["params"]["text"], "3 words")


if __name__ == "__main__":
    unittest.main()
