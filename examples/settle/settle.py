"""Tells tgkeep how each update ended, for bots that fetch them at the API root …/settle: there an update is done when this
says so, not when the bot asks for the next one. For python-telegram-bot, whose handlers get the update first:

    settled = Settler("http://127.0.0.1:8481/settle", token)
    dispatcher.add_handler(CommandHandler("start", settled(start)))
    dispatcher.add_handler(TypeHandler(Update, settled(ignore)))   # last: what no handler takes is done, too
"""
import asyncio
import functools
import inspect
import json
import time
import urllib.error
import urllib.request


class Settler:
    def __init__(self, api_root, token):
        self.url = f"{api_root}/bot{token}/tgkeep/settle"

    def __call__(self, handler):
        @functools.wraps(handler)
        def settled(update, *rest):
            try:
                result = handler(update, *rest)
            except Exception as error:
                self.tell(update_id=update.update_id, action="retry", error=str(error))
                raise
            self.tell(update_id=update.update_id, action="done")
            return result

        @functools.wraps(handler)
        async def settled_later(update, *rest):
            try:
                result = await handler(update, *rest)
            except Exception as error:
                await asyncio.to_thread(self.tell, update_id=update.update_id, action="retry", error=str(error))
                raise
            await asyncio.to_thread(self.tell, update_id=update.update_id, action="done")
            return result

        return settled_later if inspect.iscoroutinefunction(handler) else settled

    def tell(self, **settlement):
        request = urllib.request.Request(self.url, json.dumps(settlement).encode(), {"Content-Type": "application/json"})
        wait = 0.1
        while True:
            try:
                return urllib.request.urlopen(request, timeout=10).close()
            except urllib.error.HTTPError as refused:
                text = refused.read().decode(errors="replace")
                # It was settled before, or comes again by itself.
                if refused.code == 409 or (refused.code == 404 and "not in hand" in text):
                    return None
                # A wrong token or address, or a settlement that tgkeep can't read: asking again would not help.
                if refused.code != 429 and refused.code < 500:
                    update = settlement["update_id"]
                    raise RuntimeError(f"update {update} was not settled: {refused.code} {text}") from None
            except OSError:
                pass
            time.sleep(wait)
            wait = min(2 * wait, 10)
