"""Reads what a bot noted about its updates, and what it answered, and finds what was lost, repeated or out of order.

Updates are (chat, number); the numbers of a chat are 1, 2, 3 … in the order in which they were sent.
"""
import collections


class Verdict:
    def __init__(self):
        self.sent = 0
        self.kills = 0
        self.lost = []  # no run of it ended
        self.repeated = []  # of each kill: what ran before it and again after it
        self.too_many = []  # repeated although it cannot have been in flight: not the last of its chat
        self.doubled = []  # ran again in the same life of the bot
        self.reordered = []  # ran first before an earlier one of its chat had ended
        self.unanswered = []
        self.answers_reordered = []
        self.answered_too_often = []  # more answers than runs

    def repeats(self):
        return sum(len(updates) for updates in self.repeated)

    def faults(self):
        """What no safe mode may show."""
        names = ("lost", "too_many", "doubled", "reordered", "unanswered", "answers_reordered", "answered_too_often")
        return {name: getattr(self, name) for name in names if getattr(self, name)}


def read_journal(path):
    """Its lines as tuples; one that a kill cut off can't be there, as each is one write."""
    with open(path, encoding="ascii") as journal:
        words = [line.split() for line in journal]
    return [("kill",) if word == ["kill"] else (word[0], int(word[1]), int(word[2])) for word in words]


class Chat:
    def __init__(self):
        self.started = 0  # the highest number
        self.ended = set()
        self.running = set()


def judge(events, sent, answers):
    """`events`: of the journal. `sent`: how many updates each chat got. `answers`: (chat, number) of the calls that
    succeeded, in their order."""
    verdict = Verdict()
    verdict.sent = sum(sent.values())
    chats = collections.defaultdict(Chat)
    runs = collections.Counter()
    lives = {}  # the life of the bot in which an update ran last
    for event in events:
        if event[0] == "kill":
            verdict.kills += 1
            verdict.repeated.append([])
            for chat in chats.values():
                chat.running.clear()
            continue
        what, chat_id, number = event
        chat, update = chats[chat_id], (chat_id, number)
        if what == "end":
            chat.ended.add(number)
            chat.running.discard(number)
            continue
        runs[update] += 1
        if runs[update] == 1:
            if number < chat.started or chat.running or any(n not in chat.ended for n in range(1, number)):
                verdict.reordered.append(update)
        elif lives[update] == verdict.kills:
            verdict.doubled.append(update)
        else:
            verdict.repeated[-1].append(update)
            if number != chat.started:
                verdict.too_many.append(update)
            elif chat.running:
                verdict.reordered.append(update)
        lives[update] = verdict.kills
        chat.started = max(chat.started, number)
        chat.running.add(number)
    judge_ends(verdict, chats, runs, sent, answers)
    return verdict


def judge_ends(verdict, chats, runs, sent, answers):
    every = [(chat, number) for chat, count in sent.items() for number in range(1, count + 1)]
    verdict.lost = [(chat, number) for chat, number in every if number not in chats[chat].ended]
    given = collections.Counter(answers)
    verdict.unanswered = [update for update in every if update[1] in chats[update[0]].ended and not given[update]]
    verdict.answered_too_often = [update for update in given if given[update] > runs[update]]
    last = collections.Counter()
    for chat, number in answers:
        if number < last[chat]:
            verdict.answers_reordered.append((chat, number))
        last[chat] = max(last[chat], number)
