import io
import os
import urllib.parse

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, InputMediaPhoto
from telegram.error import BadRequest
from telegram.ext import CallbackQueryHandler, CommandHandler, Filters, MessageHandler, Updater

root = os.environ["API_ROOT"]


def start(update, context):
    update.message.reply_text(f"Hello, {update.effective_user.first_name}!", quote=True)


def menu(update, context):
    keyboard = [[InlineKeyboardButton("Yes", callback_data="tea:yes"), InlineKeyboardButton("No", callback_data="tea:no")]]
    update.message.reply_text("Tea?", reply_markup=InlineKeyboardMarkup(keyboard))


def choose(update, context):
    choice = context.match[1]
    update.callback_query.answer(f"Noted: {choice}")
    update.callback_query.edit_message_text(f"Tea: {choice}")


def delete(update, context):
    update.message.reply_to_message.delete()


def file(update, context):
    update.message.reply_document(io.BytesIO("Résumé\n".encode()), filename="resume.txt", caption="A file")


def album(update, context):
    update.message.reply_media_group([
        InputMediaPhoto(b"first photo", filename="a.jpg", caption="Two"),
        InputMediaPhoto(b"second photo", filename="b.jpg"),
    ])


def wrong(update, context):
    try:
        context.bot.send_message(424242, "Is anybody there?")
    except BadRequest as error:
        update.message.reply_text(f"400: Bad Request: {error.message[0].lower()}{error.message[1:]}")


def document(update, context):
    sent = update.message.document
    update.message.reply_text(f"{sent.file_name}: {sent.get_file().download_as_bytearray().decode()}")


def text(update, context):
    update.message.reply_text(f"You said: {update.message.text}")


updater = Updater(os.environ["BOT_TOKEN"], base_url=f"{root}/bot", base_file_url=f"{root}/file/bot")
for name, handler in {"start": start, "menu": menu, "delete": delete, "file": file, "album": album, "wrong": wrong}.items():
    updater.dispatcher.add_handler(CommandHandler(name, handler))
updater.dispatcher.add_handler(CallbackQueryHandler(choose, pattern=r"^tea:(.+)$"))
updater.dispatcher.add_handler(MessageHandler(Filters.document, document))
updater.dispatcher.add_handler(MessageHandler(Filters.text, text))

if "WEBHOOK_URL" in os.environ:
    url = urllib.parse.urlsplit(os.environ["WEBHOOK_URL"])
    updater.start_webhook(listen=url.hostname, port=url.port, url_path=url.path.strip("/"), webhook_url=url.geturl(),
                          cert=os.environ.get("WEBHOOK_CERTIFICATE"), key=os.environ.get("WEBHOOK_KEY"))
else:
    updater.start_polling()
updater.idle()
