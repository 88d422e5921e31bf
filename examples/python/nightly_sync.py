"""Keeps an exact copy of chargers and sessions in a file: each run reads only what changed.

API_KEY=… python3 nightly_sync.py copy.json
"""

import json
import os
import sys

from busbar import call

LISTS = {"chargers": "chargerId", "sessions": "transactionId"}

path = sys.argv[1]
copy = {name: {"since": "1970-01-01T00:00:00Z", "records": {}} for name in LISTS}
if os.path.exists(path):
    with open(path, encoding="utf-8") as file:
        copy = json.load(file)

for name, id_field in LISTS.items():
    query = {"updatedSince": copy[name]["since"]}
    changed = 0
    while True:
        page = call("GET", f"/{name}", query=query)
        for record in page["items"]:
            # A repeated record replaces the earlier one.
            copy[name]["records"][str(record[id_field])] = record
        changed += len(page["items"])
        if page["nextCursor"] is None:
            break
        query["after"] = page["nextCursor"]
    copy[name]["since"] = page["nextUpdatedSince"]
    print(f"{name}: {changed} changed")

# Records and place together, so that a run that fails is repeated from the same place.
with open(f"{path}.new", "w", encoding="utf-8") as file:
    json.dump(copy, file)
os.replace(f"{path}.new", path)
