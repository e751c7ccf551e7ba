"""A bot on python-telegram-bot 13.15."""
from telegram import InlineKeyboardButton, InlineKeyboardMarkup
from telegram.ext import CallbackQueryHandler, CommandHandler, Filters, MessageHandler, Updater


def start(update, context):
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("English", callback_data="en"),
                                      InlineKeyboardButton("Français", callback_data="fr")]])
    update.message.reply_text("Which language?", reply_markup=keyboard)


def choose(update, context):
    update.callback_query.answer()
    update.callback_query.edit_message_text({"en": "Welcome!", "fr": "Bienvenue !"}[update.callback_query.data])


def count(update, context):
    words = update.message.document.get_file().download_as_bytearray().decode().split()
    update.message.reply_text(f"{len(words)} words")


def make_updater(token, root="https://api.telegram.org"):
    updater = Updater(token, base_url=f"{root}/bot", base_file_url=f"{root}/file/bot")
    updater.dispatcher.add_handler(CommandHandler("start", start))
    updater.dispatcher.add_handler(CallbackQueryHandler(choose))
    updater.dispatcher.add_handler(MessageHandler(Filters.document.txt, count))
    return updater
