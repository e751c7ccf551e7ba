#!/usr/bin/env python3
"""bench/bars.py [ROW…]: the bars of docs/benchmarks.md, each as medians of interleaved pairs, with pass or fail.

Both sides of a row run in turn, in one run on one machine. Everything is on loopback, bounded in time, and ends with
this script. Rows: poll poll_history memory_poll direct_poll direct_poll_pool run webhook webhook_rabbit steady push
lanes idle backlog face_poll face_calls face_files. Environment: PAIRS (5), SECONDS (4) of one measurement,
HISTORY_SECONDS (60) of one with history, BACKLOG (1000000), FOLDER where the stores are made (the system's temporary
one).
"""
import contextlib
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time

from face_bars import face_calls, face_files, face_poll
from measure import (BUILD, HISTORY_SECONDS, PAIRS, PEERS, RETURN, SCRATCH, SECONDS, TOKEN, WARM, Canned, Process, Table, answer,
                     nginx, program, shoot, sync_ms)

BACKLOG = os.environ.get("BACKLOG", "1000000")


def lanes(table):
    def ours():
        text = subprocess.run([program("lanes"), "--benchmark_filter=^two_keys/500$", "--benchmark_format=json"],
                              check=True, capture_output=True, text=True).stdout
        return json.loads(text)["benchmarks"][0]["items_per_second"]

    pairs = [(ours(), answer("node", "sequentialize.js")["per_s"]) for _ in range(PAIRS)]
    table.ratio("lanes, 2 keys an update vs sequentialize", pairs, "/s", 5)


def poll_rate(store):
    folder = SCRATCH / "poll"
    shutil.rmtree(folder, ignore_errors=True)
    with Canned() as server:
        if store == "history":
            ours = answer(program("poll"), server.root, str(folder), WARM, HISTORY_SECONDS, "history")
            print(f"  {kept(folder)}", flush=True)
        else:
            place = "memory" if store == "memory" else str(folder)
            ours = answer(program("poll"), server.root, place, WARM, SECONDS)
    shutil.rmtree(folder, ignore_errors=True)
    return ours


def kept(folder):
    """Where the finished items of a stopped store are: the row is worth nothing if they are nowhere."""
    def number(path, sql):
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            return database.execute(sql).fetchone()[0]

    done = number(folder / "inbox.db", "SELECT value FROM total WHERE queue=0 AND name='done'")
    waiting = number(folder / "inbox.db", "SELECT count(*) FROM done")
    files = sorted((folder / "history").glob("*.db"))
    items = sum(number(file, "SELECT count(*) FROM item") for file in files)
    size = sum(file.stat().st_size for file in files)
    return f"{done:,} done: {items:,} in day files ({size / 1e9:.2f} GB), {waiting:,} wait for the archiver"


def direct_rate(where):
    with Canned() as server:
        return answer(program("direct_poll"), server.root, where, WARM, SECONDS)


def grammy_rate():
    with Canned() as server:
        return answer("node", "grammy_runner.js", API_ROOT=server.root, WARM=WARM, SECONDS=SECONDS)


def compare_poll(table, rate, name, bar):
    pairs = []
    for _ in range(PAIRS):
        ours, peer = rate(), grammy_rate()
        pairs.append((ours["per_s"], peer["per_s"]))
        print(f"  {ours['per_s']:,.0f}/s at {ours['cpu_us']:.1f} µs CPU | grammY {peer['per_s']:,}/s at "
              f"{peer['cpu_us']:.1f} µs CPU", flush=True)
    table.ratio(name, pairs, "/s", bar)


def poll(table):
    compare_poll(table, lambda: poll_rate("sqlite"), "poll → durable → handler → done vs grammY runner", 1)


def poll_history(table):
    """A bar for what users get: history as by default, with its archiving going on all the time."""
    compare_poll(table, lambda: poll_rate("history"), "the same with history, over a minute", 0.6)


def memory_poll(table):
    compare_poll(table, lambda: poll_rate("memory"), "the same in memory", 3)


def direct_poll(table):
    compare_poll(table, lambda: direct_rate("loop"), "poll → consumer on the loop, without a store", 3)


def direct_poll_pool(table):
    compare_poll(table, lambda: direct_rate("pool"), "poll → consumer on the pool, without a store", 1)


def run(table):
    """No bar: one update from a supplier in memory to a consumer that does nothing."""
    figures = {}
    for _ in range(PAIRS):
        text = subprocess.run([program("run"), "--benchmark_format=json"], check=True, capture_output=True, text=True).stdout
        for row in json.loads(text)["benchmarks"]:
            figures.setdefault(row["name"], []).append(1e9 / row["items_per_second"])
    modes = ["sequential", "in batches", "concurrent"]
    for name, values in figures.items():
        pool, mode, ordered = (int(part.split(":")[1]) for part in name.split("/")[1:4])
        where = "pool" if pool else "loop"
        table.figure(f"run(supplier, consumer) on the {where}, {modes[mode]}, {'by chat' if ordered else 'unordered'}",
                     values, "ns")


def idle(table):
    pairs = []
    for _ in range(PAIRS):
        with Canned("idle") as server:
            with Process(str(BUILD / "tgkeep"), "serve", "--api-root", server.root, "--folder", str(SCRATCH / "idle"),
                         "--log-level", "error", TGKEEP_TOKEN=TOKEN) as ours:
                time.sleep(3)
                mine = ours.resident_mb()
                ours.child.terminate()
            with Process("node", "grammy_runner.js", API_ROOT=server.root, IDLE="1") as peer:
                time.sleep(3)
                pairs.append((mine, peer.resident_mb()))
    table.ratio("resident memory, idle vs grammY bot", pairs, "MB", 0.3, at_most=True)


def backlog(table):
    """Memory and time to the first delivery, with a million updates pending."""
    starts = []
    for keys in ("1", "1000", BACKLOG):
        folder = SCRATCH / f"backlog_{keys}"
        subprocess.run([program("backlog"), "make", str(folder), BACKLOG, keys], check=True)
        resident = []
        with Canned("idle") as server:
            for _ in range(PAIRS):
                began = time.monotonic()
                with Process(program("backlog"), "start", str(folder), server.root) as ours:
                    ours.line()
                    starts.append(time.monotonic() - began)
                    time.sleep(4)  # it goes on to look at all of them
                    resident.append(ours.resident_mb())
        shutil.rmtree(folder)
        table.below(f"resident memory, {int(BACKLOG):,} pending of {int(keys):,} keys", resident, "MB", 150)
    table.below(f"start with {int(BACKLOG):,} pending to first delivery", starts, "s", 2)


def three_free_ports():
    """The first of three in a row, below those the system gives to clients."""
    for first in range(18_000, 30_000, 3):
        probes = [socket.socket() for _ in range(3)]
        try:
            for i, probe in enumerate(probes):
                probe.bind(("127.0.0.1", first + i))
            return first
        except OSError:
            continue
        finally:
            for probe in probes:
                probe.close()
    sys.exit("bench: no three free ports in a row")


def webhook_rate():
    folder = SCRATCH / "webhook"
    with Process(program("webhook"), str(folder)) as ours:
        rate = shoot(ours.line())
    shutil.rmtree(folder)
    return rate


def nginx_rate():
    with nginx(RETURN) as port:
        return shoot(port)


def webhook(table):
    pairs = [(webhook_rate(), nginx_rate()) for _ in range(PAIRS)]
    table.ratio("webhook POST → durable → 200 vs nginx return 200", pairs, "/s", 0.35)


def webhook_rabbit(table):
    port = three_free_ports()
    pairs = []
    with Process(str(PEERS / "rabbitmq"), str(SCRATCH / "rabbitmq"), str(port)) as rabbit:
        rabbit.line()
        for _ in range(PAIRS):
            ours = webhook_rate()
            with Process("node", "express_rabbit.js", AMQP_URL=f"amqp://guest:guest@127.0.0.1:{port}") as express:
                pairs.append((ours, shoot(express.line())))
    table.ratio("the same vs Express + RabbitMQ confirms", pairs, "/s", 6)


def steady(table):
    values = []
    for _ in range(PAIRS):
        folder = SCRATCH / "steady"
        with Process(program("webhook"), str(folder)) as ours:
            values.append(answer(program("steady_load"), ours.line(), "5000", "100", SECONDS)["p99_ms"])
        shutil.rmtree(folder)
    table.below("webhook answer's p99 at 5,000/s on 100 connections, handlers take 60 s", values, "ms", 20)


def push(table):
    """No bar: pushes of pending updates to a receiver that answers at once, 40 open requests."""
    rates = []
    for _ in range(PAIRS):
        folder = SCRATCH / "push"
        subprocess.run([program("backlog"), "make", str(folder), "200000", "1000"], check=True)
        with Canned() as receiver:
            rates.append(answer(program("push"), str(folder), f"{receiver.root}/hook", "0.5", "2")["per_s"])
        shutil.rmtree(folder)
    table.figure("push to a cheap receiver", rates, "/s")


ROWS = {"poll": poll, "poll_history": poll_history, "memory_poll": memory_poll, "direct_poll": direct_poll,
        "direct_poll_pool": direct_poll_pool, "run": run, "webhook": webhook, "webhook_rabbit": webhook_rabbit,
        "steady": steady, "push": push, "lanes": lanes, "idle": idle, "backlog": backlog, "face_poll": face_poll,
        "face_calls": face_calls, "face_files": face_files}


def main():
    wanted = sys.argv[1:] or list(ROWS)
    unknown = [name for name in wanted if name not in ROWS]
    if unknown:
        sys.exit(f"bench: no row {', '.join(unknown)}; there are {', '.join(ROWS)}")
    table = Table()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; fdatasync of 64 KB here: {sync_ms():.2f} ms "
          f"(median); {PAIRS} pairs of {SECONDS} s", flush=True)
    try:
        for name in wanted:
            print(f"== {name}", flush=True)
            ROWS[name](table)
    finally:
        shutil.rmtree(SCRATCH, ignore_errors=True)
    print()
    table.show()


main()
