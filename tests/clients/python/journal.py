"""What the test reads: one line per event, written at once to a pipe that outlives a kill. And the plan of answers."""

import os
import threading
import time

FD = int(os.environ["JOURNAL_FD"])
PLAN = os.environ["PLAN"].split(",")
PLAN_SEED = int(os.environ["PLAN_SEED"])
SLOW_UPDATE = int(os.environ["SLOW_UPDATE"])
SLOW_SECONDS = int(os.environ["SLOW_MS"]) / 1000


def note(*words):
    os.write(FD, f"{time.monotonic_ns() // 1_000_000} {' '.join(map(str, words))}\n".encode())


def planned(update_id):
    """How the first attempt of an update is to end."""
    return PLAN[(update_id * 7919 + PLAN_SEED) % len(PLAN)]


def working_time(update_id):
    return SLOW_SECONDS if update_id == SLOW_UPDATE else (1 + update_id % 10) / 1000


class Once:
    """True the first time it is asked about a number."""

    def __init__(self):
        self.lock = threading.Lock()
        self.met = set()

    def __call__(self, number):
        with self.lock:
            first = number not in self.met
            self.met.add(number)
            return first
