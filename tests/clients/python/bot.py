"""The bot of the test: notes what it gets, takes its time, and fails where the plan says so."""

import time

from journal import Once, note, planned, working_time

first = Once()


def handle(update, attempt):
    update_id = update["update_id"]
    note("start", update_id)
    time.sleep(working_time(update_id))
    if planned(update_id) == "throw" and first(update_id):
        note("throw", update_id)
        raise RuntimeError("the plan says so")
    note("end", update_id)
