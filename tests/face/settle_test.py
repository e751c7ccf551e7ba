"""The settle middlewares tell tgkeep how updates ended, also when it is away for a moment.

Usage: settle_test.py
"""
import asyncio
import http.server
import json
import pathlib
import subprocess
import sys
import threading
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "examples/settle"))
from settle import Settler  # noqa: E402

JAVASCRIPT = """
import { settle, settler } from './examples/settle/settle.mjs';
const options = { apiRoot: process.argv[1], token: '1:T' };
const fails = async () => { throw new Error('broken'); };
const says = (error) => console.log(error.message);
const middleware = settle(options);
await middleware({ update: { update_id: 1 } }, async () => console.log('worked'));
await middleware({ updateId: 2 }, fails).catch(says);
const settled = settler(options);
await settled(3, async () => {});
await settled(4, fails).catch(says);
"""

REFUSED = """
import { settler } from './examples/settle/settle.mjs';
const settled = settler({ apiRoot: process.argv[1], token: '1:T' });
await settled(1, async () => {}).catch((error) => console.log(error.message));
await settled(2, async () => { throw new Error('broken'); }).catch((error) => console.log(error.message));
"""


class Tgkeep(http.server.BaseHTTPRequestHandler):
    """Answers with `statuses` in turn, then with 200; 0 hangs up. The 404 is that of an update."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers["Content-Type"], body))
        status = self.server.statuses.pop(0) if self.server.statuses else 200
        if status:
            self.send_response(int(status))
            said = b'{"ok":false,"description":"not in hand: x"}' if status == 404 else b'{"said":"x"}'
            if isinstance(status, float):  # 404.1: of the path
                said = b'{"ok":false,"description":"Not Found"}'
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

    def log_message(self, *words):
        pass


class Settle(unittest.TestCase):
    def setUp(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Tgkeep)
        self.server.asked, self.server.statuses = [], []
        self.root = f"http://127.0.0.1:{self.server.server_port}/settle"
        thread = threading.Thread(target=self.server.serve_forever)
        thread.start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(self.server.shutdown)

    def told(self):
        """All by the right path and type."""
        places = {(path, kind) for path, kind, _ in self.server.asked}
        self.assertEqual(places, {("/settle/bot1:T/tgkeep/settle", "application/json")})
        return [body for _, _, body in self.server.asked]

    def test_javascript(self):
        self.server.statuses = [0, 503, 429, 200, 404, 409]
        printed = subprocess.run(["node", "--input-type=module", "-e", JAVASCRIPT, self.root], cwd=ROOT, check=True,
                                 stdout=subprocess.PIPE, text=True).stdout
        self.assertEqual(printed.split(), ["worked", "broken", "broken"])
        retry = {"action": "retry", "error": "Error: broken"}
        self.assertEqual(self.told(), [{"update_id": 1, "action": "done"}] * 4 + [
            {"update_id": 2, **retry}, {"update_id": 3, "action": "done"}, {"update_id": 4, **retry}])

    def test_javascript_says_what_was_refused(self):
        for status, said in ((400, "400"), (401, "401"), (403, "403"), (404.1, "404")):
            self.server.statuses = [status, status]
            ran = subprocess.run(["node", "--input-type=module", "-e", REFUSED, self.root], cwd=ROOT, check=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.assertIn(f"update 1 was not settled: {said}", ran.stdout)
            self.assertIn("broken", ran.stdout)
            self.assertIn(f"update 2 was not settled: {said}", ran.stderr)
            self.assertNotIn("1:T", ran.stdout + ran.stderr)

    def test_python_says_what_was_refused(self):
        settled = Settler(self.root, "1:T")
        for status, said in ((400, "400"), (401, "401"), (403, "403"), (404.1, "404")):
            self.server.statuses = [status]
            with self.assertRaisesRegex(RuntimeError, f"update 5 was not settled: {said}"):
                settled(lambda update: None)(types.SimpleNamespace(update_id=5))

    def test_python(self):
        def handle(update, context):
            return f"{update.update_id} {context}"

        def fail(update, context):
            raise ValueError("broken")

        async def handle_later(update, context):
            return handle(update, context)

        async def fail_later(update, context):
            fail(update, context)

        def update(update_id):
            return types.SimpleNamespace(update_id=update_id)

        settled = Settler(self.root, "1:T")
        self.server.statuses = [0, 503, 429, 200, 404, 409]
        self.assertEqual(settled(handle)(update(1), "context"), "1 context")
        self.assertRaises(ValueError, settled(fail), update(2), "context")
        self.assertEqual(asyncio.run(settled(handle_later)(update(3), "context")), "3 context")
        self.assertRaises(ValueError, asyncio.run, settled(fail_later)(update(4), "context"))
        self.assertEqual(settled(handle).__name__, "handle")
        retry = {"action": "retry", "error": "broken"}
        self.assertEqual(self.told(), [{"update_id": 1, "action": "done"}] * 4 + [
            {"update_id": 2, **retry}, {"update_id": 3, "action": "done"}, {"update_id": 4, **retry}])


if __name__ == "__main__":
    unittest.main()
