"""tgkeep pushes updates to a bot with nothing but Python. Run: SECRET=… PORT=8080 python3 http_server.py"""

import json
import os
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import bot

SECRET = os.environ.get("SECRET", "")


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # the default, HTTP/1.0, closes the connection after each answer
    timeout = 125  # for idle connections: tgkeep uses one again for 118 s; the default keeps them, and their threads, for good

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("X-Telegram-Bot-Api-Secret-Token", "") != SECRET:
            return self.answer(401)
        try:
            bot.handle(json.loads(body), int(self.headers.get("Tgkeep-Attempt", "1")))
        except Exception:
            traceback.print_exc()
            return self.answer(500)  # without an answer, the thread and the connection would end
        self.answer(200)  # only now: 200 means done

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")  # without it, the other side waits for the connection to close
        self.end_headers()

    def log_request(self, code="-", size="-"):
        pass


class Server(ThreadingHTTPServer):  # HTTPServer handles one update at a time
    request_queue_size = 128  # the default, 5, drops connections in a burst


def serve(receiver=Receiver):
    with Server(("127.0.0.1", int(os.environ.get("PORT", "8080"))), receiver) as server:
        print(f"listening on {server.server_port}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    serve()
