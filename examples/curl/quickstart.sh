#!/bin/sh
# Creates a site and a charger in it, and reads the charger.
#   API_KEY=… sh quickstart.sh ACME_1
set -eu
charger=${1:-ACME_1}
api=${BUSBAR_URL:-https://localhost:8443}/v2

call() {
  curl --silent --show-error --fail-with-body --max-time 70 -H "x-api-key: $API_KEY" -H 'content-type: application/json' "$@"
}
# The last value of a field in JSON on one line.
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }

# A repeated run gets the same records: each creation has an Idempotency-Key of its own, for 24 hours.
site=$(call "$api/sites" -H "idempotency-key: site-of-$charger" -d '{"name":"Harbour"}' | field id)
call "$api/chargers" -H "idempotency-key: charger-$charger" \
  -d "{\"name\":\"Quay\",\"chargerId\":\"$charger\",\"siteId\":$site}" >/dev/null
call "$api/chargers/$charger"
echo
