#!/bin/sh
# Starts charging, finds the session that the command began, and stops it. The charger must be connected.
#   API_KEY=… sh start-session.sh ACME_1 1 04E91C5A123B80
set -eu
charger=${1:-ACME_1} socket=${2:-1} tag=${3:-04E91C5A123B80}
api=${BUSBAR_URL:-https://localhost:8443}/v2

call() {
  curl --silent --show-error --fail-with-body --max-time 70 -H "x-api-key: $API_KEY" -H 'content-type: application/json' "$@"
}
# The last value of a field in JSON on one line.
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }

# The id of the order: a repeated request with it starts nothing new.
order=order-$(date +%s)-$$
started=$(call "$api/chargers/$charger/start-charging" -H "idempotency-key: $order" \
  -d "{\"socketId\":$socket,\"rfidTag\":\"$tag\"}")
if [ "$(echo "$started" | field status)" != Accepted ]; then
  echo "the charger refused: $started" >&2
  exit 1
fi
command=$(echo "$started" | field commandId)

# The driver has to plug in: wait for up to a minute.
session='' tries=0
while [ -z "$session" ]; do
  tries=$((tries + 1))
  [ $tries -le 60 ] || { echo "no session of the command $command after a minute" >&2; exit 1; }
  session=$(call "$api/sessions?commandId=$command" | field transactionId)
  [ -n "$session" ] || sleep 1
done
echo "session $session of command $command"

call "$api/chargers/$charger/stop-transaction" -H "idempotency-key: $order-stop" -d "{\"transactionId\":$session}" >/dev/null
tries=0
until [ "$(call "$api/sessions/$session" | field state)" != ongoing ]; do
  tries=$((tries + 1))
  [ $tries -le 60 ] || { echo "session $session is still in progress after a minute" >&2; exit 1; }
  sleep 1
done
call "$api/sessions/$session"
echo
