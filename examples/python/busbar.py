"""A request to the v2 API, with the standard library alone. Repeats 429 and 503 after the seconds that the service names."""

import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request

ORIGIN = os.environ.get("BUSBAR_URL", "https://localhost:8443")
ATTEMPTS = 5
TIMEOUT_S = 70  # A command waits up to 60 seconds for its charger.


class BusbarError(Exception):
    """A problem (RFC 9457): decide by its code."""

    def __init__(self, problem):
        super().__init__(f"{problem['code']}: {problem['detail']} (request {problem['requestId']})")
        self.code = problem["code"]
        self.problem = problem


def open_url(method, path, body=None, query=None, headers=None):
    """The open response. Raises BusbarError where the service refuses the request."""
    url = f"{ORIGIN}/v2{path}" + (f"?{urllib.parse.urlencode(query)}" if query else "")
    data = None if body is None else json.dumps(body).encode()
    all_headers = {"x-api-key": os.environ["API_KEY"], "content-type": "application/json", **(headers or {})}
    for attempt in range(1, ATTEMPTS + 1):
        try:
            request = urllib.request.Request(url, data, all_headers, method=method)
            return urllib.request.urlopen(request, timeout=TIMEOUT_S)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503) or attempt == ATTEMPTS:
                raise BusbarError(json.load(error)) from None
            time.sleep(int(error.headers.get("retry-after", "1")))


def call(method, path, body=None, query=None, headers=None):
    """The response as a dictionary."""
    with open_url(method, path, body, query, headers) as response:
        return json.load(response)
