"""What the bot does with a message "NUMBER MILLISECONDS": it works so long and answers the number. The journal tells
when; a line is written by one call, so that it survives the process.
"""
import os
import time

journal = os.open(os.environ["JOURNAL"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)


def work(chat, text, answer):
    number, milliseconds = text.split()
    os.write(journal, f"start {chat} {number}\n".encode())
    time.sleep(int(milliseconds) / 1000)
    answer(number)
    os.write(journal, f"end {chat} {number}\n".encode())
