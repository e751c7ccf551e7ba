#!/bin/sh
# Prints each update and settles it. TGKEEP_BOT=http://127.0.0.1:8481/bot<token> ./stream.sh
ask() { # The address comes through stdin: `ps` shows arguments to everybody, and it holds the token.
  printf 'url = "%s/tgkeep/%s"\n' "$TGKEEP_BOT" "$1" | { shift; curl -fsSN -K - "$@"; }
}
while :; do
  ask updates | while IFS= read -r line; do
    case $line in
      id:*) id=${line#id: } ;;
      'event: replaced') kill $$ ;; # Another one took over.
      'data: {"update_id"'*)
        printf '%s\n' "${line#data: }" # Work here; "retry" instead of "done" brings the update back later.
        ask settle -o /dev/null -d "{\"update_id\":$id,\"action\":\"done\"}" ;;
    esac
  done
  sleep 1
done
