"""The judge of the bots behind the face finds what made-up journals have wrong.

Usage: judge_test.py
"""
import pathlib
import tempfile
import unittest

from judge import judge, read_journal

A, B = 11, 12


def runs(*updates):
    """They run one after another."""
    return [(what, *update) for update in updates for what in ("start", "end")]


KILL = [("kill",)]
GOOD = runs((A, 1), (B, 1), (A, 2), (B, 2))
ANSWERS = [(A, 1), (B, 1), (A, 2), (B, 2)]
SENT = {A: 2, B: 2}


class Judge(unittest.TestCase):
    def faults(self, events, answers=None, sent=None):
        return judge(events, sent or SENT, ANSWERS if answers is None else answers).faults()

    def test_a_life_without_a_kill_is_faultless(self):
        verdict = judge(GOOD, SENT, ANSWERS)
        self.assertEqual((verdict.faults(), verdict.kills, verdict.repeats()), ({}, 0, 0))

    def test_what_was_in_flight_when_it_was_killed_may_come_again(self):
        events = [*runs((A, 1)), ("start", B, 1), ("start", A, 2), *KILL, *runs((A, 2), (B, 1), (B, 2))]
        verdict = judge(events, SENT, ANSWERS)
        self.assertEqual((verdict.faults(), verdict.kills), ({}, 1))
        self.assertEqual(verdict.repeated, [[(A, 2), (B, 1)]])

    def test_what_ended_but_was_not_confirmed_may_come_again(self):
        answers = [(A, 1), (A, 1), (B, 1), (A, 2), (B, 2)]
        self.assertEqual(self.faults([*runs((A, 1)), *KILL, *runs((A, 1), (B, 1), (A, 2), (B, 2))], answers), {})

    def test_it_finds_a_lost_one(self):
        self.assertEqual(self.faults(runs((A, 1), (B, 1), (B, 2)), [(A, 1), (B, 1), (B, 2)]), {"lost": [(A, 2)]})

    def test_it_finds_one_that_was_lost_in_the_middle(self):
        events = [("start", A, 1), *KILL, *runs((A, 2), (B, 1), (B, 2))]
        self.assertEqual(self.faults(events, [(A, 2), (B, 1), (B, 2)]), {"lost": [(A, 1)], "reordered": [(A, 2)]})

    def test_it_finds_a_reordered_one(self):
        faults = self.faults(runs((A, 2), (A, 1), (B, 1), (B, 2)), [(A, 2), (A, 1), (B, 1), (B, 2)])
        self.assertEqual(faults, {"reordered": [(A, 2), (A, 1)], "answers_reordered": [(A, 1)]})

    def test_it_finds_one_that_did_not_wait_for_the_earlier_one(self):
        events = [("start", A, 1), ("start", A, 2), ("end", A, 1), ("end", A, 2), *runs((B, 1), (B, 2))]
        self.assertEqual(self.faults(events), {"reordered": [(A, 2)]})

    def test_it_finds_one_that_did_not_wait_for_a_repeated_one(self):
        events = [*runs((A, 1)), *KILL, ("start", A, 1), ("start", A, 2), ("end", A, 1), ("end", A, 2),
                  *runs((B, 1), (B, 2))]
        self.assertEqual(self.faults(events), {"reordered": [(A, 2)]})

    def test_it_finds_a_doubled_one(self):
        self.assertEqual(self.faults(GOOD + runs((B, 2))), {"doubled": [(B, 2)]})

    def test_it_finds_one_that_came_again_although_a_later_one_had_come(self):
        self.assertEqual(self.faults([*GOOD, *KILL, *runs((A, 1))]), {"too_many": [(A, 1)]})

    def test_it_finds_answers_that_are_missing_reordered_or_too_many(self):
        self.assertEqual(self.faults(GOOD, [(A, 1), (B, 1), (A, 2)]), {"unanswered": [(B, 2)]})
        self.assertEqual(self.faults(GOOD, [(A, 2), (A, 1), (B, 1), (B, 2)]), {"answers_reordered": [(A, 1)]})
        self.assertEqual(self.faults(GOOD, [*ANSWERS, (B, 2)]), {"answered_too_often": [(B, 2)]})

    def test_a_journal_is_read_from_its_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "journal"
            path.write_text("start 11 1\nkill\nstart 11 1\nend 11 1\n", encoding="ascii")
            self.assertEqual(read_journal(path), [("start", A, 1), ("kill",), ("start", A, 1), ("end", A, 1)])


if __name__ == "__main__":
    unittest.main()
