"""The rows of bars.py about the Bot API face."""
import contextlib
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

from measure import (BUILD, PAIRS, SCRATCH, SECONDS, TOKEN, WARM, Canned, Process, answer, free_port, nginx, program, shoot,
                     wait_for)

PROXY = """upstream api {{ server 127.0.0.1:{upstream}; keepalive 64; keepalive_requests 100000000; }}
  server {{ listen 127.0.0.1:PORT; location / {{ proxy_pass http://api; proxy_http_version 1.1;
  proxy_set_header Connection ""; }} }}"""


@contextlib.contextmanager
def face(server, stored=0):
    """`tgkeep serve` between this server and a bot that polls; gives the process and the port it is asked at."""
    folder = SCRATCH / "face"
    shutil.rmtree(folder, ignore_errors=True)
    if stored:
        subprocess.run([program("backlog"), "make", str(folder), str(stored), "1000"], check=True)
    port = free_port()
    with Process(str(BUILD / "tgkeep"), "serve", "--api-root", server.root, "--folder", str(folder), "--log-level", "error",
                 TGKEEP_TOKEN=TOKEN, TGKEEP_HANDLER="pull", TGKEEP_FACE_LISTEN=f"127.0.0.1:{port}",
                 TGKEEP_HISTORY_KEEP="0s") as ours:
        wait_for(port)
        yield ours, port
        ours.child.terminate()
    shutil.rmtree(folder, ignore_errors=True)


def library_rate(library):
    with Canned() as server:
        return answer("node", "library_bot.js", LIBRARY=library, API_ROOT=server.root, WARM=WARM, SECONDS=SECONDS)["per_s"]


def face_poll(table):
    pairs, stored = [], []
    for _ in range(PAIRS):
        with Canned() as server, face(server) as (_, port):
            ours = answer(program("fetch"), str(port), WARM, SECONDS)["per_s"]
        with Canned("idle") as server, face(server, stored=400_000) as (_, port):
            stored.append(answer(program("fetch"), str(port), "0.5", "2")["per_s"])
        grammy, telegraf = library_rate("grammy"), library_rate("telegraf")
        print(f"  {ours:,.0f}/s | grammY {grammy:,}/s | telegraf {telegraf:,}/s", flush=True)
        pairs.append((ours, max(grammy, telegraf)))
    table.ratio("getUpdates through the face vs what grammY or telegraf take", pairs, "/s", 3)
    table.figure("getUpdates through the face of what is stored already", stored, "/s")


def send_rate(port):
    return shoot(port, "send.lua", f"/bot{TOKEN}/sendMessage")


def send_p50(port):
    """At a load that keeps nothing busy."""
    return answer(program("steady_load"), str(port), "200", "8", SECONDS, f"/bot{TOKEN}/sendMessage")["p50_ms"]


def face_calls(table):
    pairs, added = [], []
    with Canned("idle") as server:
        direct = server.root.rsplit(":", 1)[1]
        for _ in range(PAIRS):
            with face(server) as (_, port):
                ours = send_rate(port)
                added.append(send_p50(port) - send_p50(direct))
            with nginx(PROXY.format(upstream=direct)) as port:
                pairs.append((ours, send_rate(port)))
    table.ratio("sendMessage through the face vs nginx proxy_pass", pairs, "/s", 0.3)
    table.below("what the face adds to a call's p50 at 200/s", added, "ms", 1)


def upload(port, size):
    """A document of so many bytes, sent as fast as it is taken."""
    head = (b"--b\r\nContent-Disposition: form-data; name=\"chat_id\"\r\n\r\n1000\r\n"
            b"--b\r\nContent-Disposition: form-data; name=\"document\"; filename=\"a.bin\"\r\n"
            b"Content-Type: application/octet-stream\r\n\r\n")
    tail = b"\r\n--b--\r\n"
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(f"POST /bot{TOKEN}/sendDocument HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                           f"Content-Type: multipart/form-data; boundary=b\r\n"
                           f"Content-Length: {len(head) + size + len(tail)}\r\n\r\n".encode() + head)
        piece = bytes(65536)
        for begin in range(0, size, len(piece)):
            connection.sendall(piece[:size - begin])
        connection.sendall(tail)
        reply = connection.recv(65536)
    if not reply.startswith(b"HTTP/1.1 200"):
        sys.exit(f"bench: an upload was answered with {reply[:100]}")


def download(port):
    """The file of 20 MB, taken at some 20 MB/s."""
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(f"GET /file/bot{TOKEN}/documents/file_1.bin HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                           f"Connection: close\r\n\r\n".encode())
        taken = 0
        while piece := connection.recv(65536):
            taken += len(piece)
            time.sleep(len(piece) / 20e6)
    if taken < 20_000_000:
        sys.exit(f"bench: a download ended after {taken} bytes")


def growth_mb(process, work):
    """By how much the most that it had in memory at once exceeds what it had before."""
    before = process.memory_mb("VmRSS")
    Path(f"/proc/{process.child.pid}/clear_refs").write_text("5")  # forgets the peak so far
    work()
    return max(0, process.memory_mb("VmHWM") - before)


def face_files(table):
    up, down = [], []
    with Canned("idle") as server:
        for _ in range(PAIRS):
            with face(server) as (ours, port):
                upload(port, 1000)
                up.append(growth_mb(ours, lambda: upload(port, 50_000_000)))
                down.append(growth_mb(ours, lambda: download(port)))
    table.below("memory that an upload of 50 MB through the face takes", up, "MB", 16)
    table.below("memory that a download of 20 MB through the face takes", down, "MB", 16)
