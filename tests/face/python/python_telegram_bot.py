import os
import pathlib
import sys
import urllib.parse

from telegram import Update
from telegram.ext import Filters, MessageHandler, TypeHandler, Updater

from work import work

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "examples/settle"))
from settle import Settler  # noqa: E402

root, token, mode = os.environ["API_ROOT"], os.environ["BOT_TOKEN"], os.environ["MODE"]


def answer(update, context):
    work(update.effective_chat.id, update.message.text, update.message.reply_text)


def ignore(update, context):
    pass


updater = Updater(token, base_url=f"{root}/bot", base_file_url=f"{root}/file/bot", workers=8)
if mode == "settle":
    settled = Settler(root, token)
    updater.dispatcher.add_handler(MessageHandler(Filters.text, settled(answer), run_async=True))
    # What no handler takes is done, too.
    updater.dispatcher.add_handler(TypeHandler(Update, settled(ignore)))
else:
    updater.dispatcher.add_handler(MessageHandler(Filters.text, answer, run_async=True))

if mode == "webhook":
    url = urllib.parse.urlsplit(os.environ["WEBHOOK_URL"])
    updater.start_webhook(listen=url.hostname, port=url.port, url_path=url.path.strip("/"), webhook_url=url.geturl())
else:
    updater.start_polling()
updater.idle()
