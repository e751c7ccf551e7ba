# Prints each update and settles it. TGKEEP_BOT=http://127.0.0.1:8481/bot<token> python3 stream.py
import http.client, json, os, sys, time, urllib.request

bot = os.environ["TGKEEP_BOT"] + "/tgkeep/"

def settle(update, action):
    body = json.dumps({"update_id": update["update_id"], "action": action}).encode()
    urllib.request.urlopen(bot + "settle", body, timeout=30).close()

while True:
    try:
        for line in urllib.request.urlopen(bot + "updates", timeout=60):
            if line == b"event: replaced\n":
                sys.exit("another one took over")
            if line.startswith(b'data: {"update_id"'):
                print(line[6:].decode(), end="", flush=True)  # Work here.
                settle(json.loads(line[6:]), "done")  # "retry" instead brings the update back later.
    except (OSError, http.client.HTTPException) as error:
        print(error, file=sys.stderr)
    time.sleep(1)
