"""The bot of `tgkeep demo --push`: an HTTP receiver in a process of its own, on the standard library alone.

Takes updates as Telegram's webhook brings them, works on each for 5-50 ms (some longer) and answers with an echo, a sendMessage call
in the body of the answer. Writes the demo's handler log (one unbuffered line per event, see handler_log.hpp).
"""
import argparse
import http.server
import json
import os
import threading
import time
import zlib

SHORTEST, LONGEST = 5_000, 50_000  # microseconds
# One update in a hundred takes so long that its request outlives a kill of the bot.
SLOW = 600_000


def working_time(seed, update_id):
    """In seconds, seeded by the update, so that a repeat takes as long as the first time."""
    number = zlib.crc32(f"{seed}:{update_id}".encode())
    if number % 100 == 0:
        return SLOW / 1e6
    return (SHORTEST + number // 100 % (LONGEST - SHORTEST + 1)) / 1e6


class Receiver(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024
    seed = 0
    log = -1


class Delivery(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Receiver

    def do_POST(self):
        update = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        update_id = update.pop("update_id")
        content = next(iter(update.values()))
        key = self.headers.get("Tgkeep-Ordering-Key", "none")
        epoch = self.headers["Tgkeep-Epoch"]
        repeated = self.headers.get("Tgkeep-Repeated", "0")
        self.witness(f"start {update_id} {key} {self.headers['Tgkeep-Attempt']} {repeated} {epoch}")
        time.sleep(working_time(self.server.seed, update_id))
        self.witness(f"end {update_id} {key} {epoch}")
        call = {"method": "sendMessage", "chat_id": content["chat"]["id"], "text": f"Got update {update_id}"}
        self.answer(json.dumps(call).encode())

    def witness(self, line):
        os.write(self.server.log, line.encode() + b"\n")

    def answer(self, body):
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        self.wfile.write(head.encode() + body)


def end_with_parent():
    """The demo may be killed, and then nobody would stop this."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--port", type=int, required=True)
    options.add_argument("--seed", required=True)
    options.add_argument("--handler-log", required=True)
    given = options.parse_args()
    threading.Thread(target=end_with_parent, daemon=True).start()
    server = Receiver(("127.0.0.1", given.port), Delivery)
    server.seed = given.seed
    lives = 0
    if os.path.exists(given.handler_log):
        with open(given.handler_log, "rb") as log:
            lives = sum(line.startswith(b"life ") for line in log)
    server.log = os.open(given.handler_log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(server.log, f"life {lives + 1} {os.getpid()}\n".encode())
    server.serve_forever()


main()
