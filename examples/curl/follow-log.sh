#!/bin/sh
# Prints each new row of a charger's OCPP log as JSON, until Ctrl-C. Connects again behind the last row.
#   API_KEY=… sh follow-log.sh ACME_1
set -eu
charger=${1:-ACME_1}
api=${BUSBAR_URL:-https://localhost:8443}/v2
state=$(mktemp)
trap 'rm -f "$state"' EXIT
trap 'exit 130' INT TERM

while :; do
  # Ends here where the key or the charger is no longer valid.
  curl --silent --show-error --fail-with-body --retry 10 --output /dev/null -H "x-api-key: $API_KEY" "$api/chargers/$charger"
  # The service sends a comment every 15 seconds: a minute without a byte is a broken connection.
  curl --silent --no-buffer --fail --speed-limit 1 --speed-time 60 -H "x-api-key: $API_KEY" \
    -H "last-event-id: $(cat "$state")" "$api/chargers/$charger/ocpp-logs/stream" |
    while IFS= read -r line; do
      case $line in
        'id: '*) id=${line#id: } ;;
        # Events without an id are not rows of the log.
        'data: '*) [ -z "${id:-}" ] || { echo "${line#data: }" && echo "$id" >"$state"; } ;;
        '') id='' ;;
      esac
    done
  sleep 3
done
