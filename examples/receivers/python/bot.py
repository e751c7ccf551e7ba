"""Your bot. `handle` gets one update, as Telegram sends it; when it returns, the update is done for good; when it raises,
tgkeep hands it over again later. `attempt` is 1 the first time. It runs on several threads at once, but never twice at
once for one chat."""


def handle(update: dict, attempt: int) -> None:
    message = update.get("message")
    if message:
        print(f"chat {message['chat']['id']}: {message.get('text', 'something else')} (attempt {attempt})")
