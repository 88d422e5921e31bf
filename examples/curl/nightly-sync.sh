#!/bin/sh
# Downloads every charger and session that changed since the last run, a file a page: chargers-1.json, sessions-1.json …
# A copy is exact when the items of the pages are stored by their id, in this order.
#   API_KEY=… sh nightly-sync.sh DIRECTORY
set -eu
directory=${1:?the directory of the pages}
api=${BUSBAR_URL:-https://localhost:8443}/v2

# The last value of a field in JSON on one line.
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p" "$2"; }

# The pages are those of the last run only: load them before the next one.
rm -f "$directory"/*.json
for list in chargers sessions; do
  since=$(cat "$directory/$list.since" 2>/dev/null || echo 1970-01-01T00:00:00Z)
  after='' page=0
  while [ "$after" != null ]; do
    page=$((page + 1))
    file=$directory/$list-$page.json
    # --retry repeats 429 and 503 after the seconds in Retry-After. Without a cursor it is the first page.
    curl --silent --show-error --fail-with-body --max-time 70 --retry 5 -H "x-api-key: $API_KEY" --get "$api/$list" \
      --data-urlencode "updatedSince=$since" ${after:+--data-urlencode "after=$after"} --output "$file"
    after=$(field nextCursor "$file")
  done
  # Only after the last page: a run that fails is repeated from the same place.
  field nextUpdatedSince "$file" >"$directory/$list.since"
  echo "$list: $page pages"
done
