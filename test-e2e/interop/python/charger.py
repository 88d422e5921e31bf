"""A charger on Python's `ocpp`, which holds everything either side sends against its own schemas.

Speaks the line protocol of the README of the folder above.
"""

import asyncio
import base64
import importlib
import json
import logging
import sys

from ocpp.charge_point import camel_to_snake_case, remove_nones, serialize_as_dict, snake_to_camel_case
from ocpp.exceptions import OCPPError
from ocpp.routing import on
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

CALL_TIMEOUT_S = 20
# Each has its ChargePoint and its messages.
MODULES = {"ocpp1.6": "ocpp.v16", "ocpp2.0.1": "ocpp.v201", "ocpp2.1": "ocpp.v21"}


def report(line):
    # The stack reads decimals of some messages as Decimal.
    print(json.dumps(line, default=float), flush=True)


class Complaints(logging.Handler):
    """What the stack logs as a warning or worse is about a message of the other side."""

    def emit(self, record):
        error = record.exc_info[1] if record.exc_info else None
        report({"event": "complaint", "text": f"{record.getMessage()} {error!r}"})


def as_json(message):
    return snake_to_camel_case(remove_nones(serialize_as_dict(message)))


def handler_of(messages, action, answer):
    def handle(self, **fields):
        report({"event": "call", "action": action, "payload": snake_to_camel_case(fields)})
        return getattr(messages.call_result, action)(**camel_to_snake_case(answer))

    # The stack finds its handlers by their names.
    handle.__name__ = name_of(action)
    return on(action)(handle)


def name_of(action):
    return f"on_{action}"


class Charger:
    def __init__(self):
        self.version = None
        self.messages = None
        self.socket = None
        self.stack = None
        self.serving = None

    async def connect(self, url, chargerId, answers, password=None, reconnect=False, version="ocpp1.6"):
        self.version = version
        self.messages = messages = importlib.import_module(MODULES[version])
        basic = base64.b64encode(f"{chargerId}:{password}".encode()).decode()
        headers = {} if password is None else {"Authorization": f"Basic {basic}"}
        handlers = {name_of(action): handler_of(messages, action, answer) for action, answer in answers.items()}
        tested = type("TestedCharger", (messages.ChargePoint,), handlers)
        connecting = connect(url + chargerId, subprotocols=[version], additional_headers=headers)
        if reconnect:
            opened = asyncio.get_running_loop().create_future()
            self.serving = asyncio.create_task(self.keep_connected(connecting, tested, chargerId, opened))
            await opened
        else:
            self.take(await connecting, tested, chargerId)
            self.serving = asyncio.create_task(self.serve())

    def take(self, socket, tested, chargerId):
        if socket.subprotocol != self.version:
            raise RuntimeError(f"the subprotocol is {socket.subprotocol}")
        self.socket = socket
        self.stack = tested(chargerId, socket, response_timeout=CALL_TIMEOUT_S)

    async def keep_connected(self, connecting, tested, chargerId, opened):
        """As the documents of `websockets` have it: each time round is another connection."""
        async for socket in connecting:
            self.take(socket, tested, chargerId)
            if not opened.done():
                opened.set_result(None)
            await self.serve()

    async def serve(self):
        try:
            await self.stack.start()
        except ConnectionClosed:
            report({"event": "closed", "code": self.socket.close_code})

    async def call(self, action, payload):
        request = getattr(self.messages.call, action)(**camel_to_snake_case(payload))
        return as_json(await self.stack.call(request, suppress=False))

    async def close(self):
        await self.socket.close(1000)


async def carry_out(charger, order):
    number, what = order.pop("id"), order.pop("do")
    try:
        report({"id": number, "result": await getattr(charger, what)(**order) or {}})
    except Exception as error:
        code = error.code if isinstance(error, OCPPError) else type(error).__name__
        report({"id": number, "error": {"code": code, "text": str(error)}})


async def main():
    logging.getLogger("ocpp").addHandler(Complaints(logging.WARNING))
    logging.getLogger("ocpp").propagate = False
    charger = Charger()
    under_way = set()
    while line := await asyncio.to_thread(sys.stdin.readline):
        task = asyncio.create_task(carry_out(charger, json.loads(line)))
        under_way.add(task)
        task.add_done_callback(under_way.discard)


asyncio.run(main())
