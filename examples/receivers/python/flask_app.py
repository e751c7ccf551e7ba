"""tgkeep pushes updates to a bot behind Flask and gunicorn. Run: SECRET=… PORT=8080 gunicorn -c gunicorn.conf.py flask_app:app"""

import os

from flask import Flask, abort, request

import bot

app = Flask(__name__)
SECRET = os.environ.get("SECRET", "")


@app.before_request
def check_secret():
    if request.headers.get("X-Telegram-Bot-Api-Secret-Token", "") != SECRET:
        abort(401)


@app.post("/updates")
def updates():
    attempt = int(request.headers.get("Tgkeep-Attempt", "1"))
    bot.handle(request.get_json(), attempt)  # Flask answers 500 when this raises
    return "", 200  # only now: 200 means done
