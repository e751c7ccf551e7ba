"""A bot as an HTTP server: can be down, and can have a fault in what it does with some texts."""
import http.server
import json
import socket
import threading


class BotServer:
    def __init__(self, port):
        self.port = port
        self.faulty = False  # texts with "order" are answered 422
        self._server = None
        self._connections = []
        self._lock = threading.Lock()
        self._seen = {}  # chat → texts, in the order they were done

    def up(self):
        bot = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                super().setup()
                bot._connections.append(self.connection)

            def do_POST(self):
                update = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(bot.handle(update["message"]))
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def down(self):
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
            # As a process that ends does.
            for connection in self._connections:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:  # closed already
                    pass
            self._connections.clear()

    def handle(self, message):
        if self.faulty and "order" in message["text"]:
            return 422
        with self._lock:
            self._seen.setdefault(message["chat"]["id"], []).append(message["text"])
        return 200

    def seen(self):
        with self._lock:
            return {chat: list(texts) for chat, texts in self._seen.items()}
