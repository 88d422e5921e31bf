import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { UpgradeRejected } from './charger/handshake';
import { eventually } from './eventually';
import { connectCharger, type ScriptedCharger, type ScriptedChargerOptions } from './scripted-charger';

let server: Server;
let sockets: WebSocket[];
let messages: string[];
let authorizations: (string | undefined)[];

beforeEach(async () => {
  sockets = [];
  messages = [];
  authorizations = [];
  const websockets = new WebSocketServer({ noServer: true });
  server = createServer();
  server.on('upgrade', (request, socket, head) => {
    authorizations.push(request.headers.authorization);
    if (request.url === '/ocpp/UNKNOWN') {
      socket.end('HTTP/1.1 404 Not Found\r\nx-reason: none\r\nContent-Length: 2\r\n\r\n{}');
      return;
    }
    websockets.handleUpgrade(request, socket, head, (websocket) => {
      sockets.push(websocket);
      websocket.on('message', (data: Buffer) => messages.push(data.toString()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  for (const socket of sockets) socket.terminate();
  await new Promise((resolve) => server.close(resolve));
});

async function connected(
  over: Partial<ScriptedChargerOptions> = {},
): Promise<{ charger: ScriptedCharger; socket: WebSocket }> {
  const { port } = server.address() as AddressInfo;
  const charger = await connectCharger({ url: `ws://127.0.0.1:${String(port)}/ocpp/ACME_1`, ...over });
  const socket = sockets.at(-1);
  if (socket === undefined) throw new Error('no socket');
  return { charger, socket };
}

it('resolves a CALL with its own answer, in any order', async () => {
  const { charger, socket } = await connected();
  const first = charger.call('Heartbeat', {});
  const second = charger.heartbeat();
  await eventually(() => messages.length === 2);
  expect(messages).toEqual(['[2,"m-1","Heartbeat",{}]', '[2,"m-2","Heartbeat",{}]']);
  socket.send('[3,"m-2",{"currentTime":"2"}]');
  socket.send('[4,"m-1","InternalError","no",{"a":1}]');
  expect(await first).toEqual({ kind: 'error', code: 'InternalError', description: 'no', details: { a: 1 } });
  expect(await second).toEqual({ currentTime: '2' });
});

it('rejects on a CALLERROR in a helper', async () => {
  const { charger, socket } = await connected();
  const booted = charger.boot();
  socket.send('[4,"m-1","NotSupported","",{}]');
  await expect(booted).rejects.toThrow('BootNotification was answered with NotSupported');
});

it('answers a CALL of the service by the script, by default as a plain charger would', async () => {
  const { charger, socket } = await connected({ answers: { Reset: () => ({ status: 'Rejected' }) } });
  charger.answer('ClearCache', () => ({ kind: 'silence' }));
  charger.answer('UnlockConnector', () => ({ kind: 'error', code: 'GenericError' }));
  for (const action of ['ClearCache', 'Reset', 'TriggerMessage', 'UnlockConnector', 'Unheard']) {
    socket.send(JSON.stringify([2, action, action, {}]));
  }
  await eventually(() => messages.length === 4);
  expect([...messages].sort()).toEqual([
    '[3,"Reset",{"status":"Rejected"}]',
    '[3,"TriggerMessage",{"status":"Accepted"}]',
    '[4,"Unheard","NotImplemented","",{}]',
    '[4,"UnlockConnector","GenericError","",{}]',
  ]);
  expect(await charger.waitForCall('Reset')).toEqual({ messageId: 'Reset', action: 'Reset', payload: {} });
});

it('fails a call in flight when the connection ends, and shows the close', async () => {
  const { charger, socket } = await connected();
  const call = charger.call('Heartbeat', {});
  const failed = expect(call).rejects.toThrow('the connection ended with 1001');
  socket.close(1001, 'bye');
  await failed;
  expect(await charger.waitForClose()).toEqual({ code: 1001, reason: 'bye' });
  await expect(charger.heartbeat()).rejects.toThrow('the connection has ended');
});

it('rejects a call that is never answered after its bound', async () => {
  const { charger } = await connected({ callTimeoutMs: 10 });
  await expect(charger.heartbeat()).rejects.toThrow('no answer to m-1');
});

it('gives the HTTP response of a refused upgrade', async () => {
  const { port } = server.address() as AddressInfo;
  const refusal = connectCharger({ url: `ws://127.0.0.1:${String(port)}/ocpp/UNKNOWN` });
  await expect(refusal).rejects.toMatchObject({ status: 404, body: '{}', headers: { 'x-reason': 'none' } });
  await expect(refusal).rejects.toBeInstanceOf(UpgradeRejected);
});

it('8. makes the standard’s Basic vector of an id and key bytes', async () => {
  const password = Buffer.from('0001020304050607FFFFFFFFFFFFFFFFFFFFFFFF', 'hex');
  await connected({ password, username: 'AL1000' });
  expect(authorizations).toEqual(['Basic QUwxMDAwOgABAgMEBQYH////////////////']);
});

it('logs frames both ways, the last thousand', async () => {
  const { charger, socket } = await connected();
  for (let i = 0; i < 1100; i += 1) socket.send(`[3,"${String(i)}",{}]`);
  charger.send('not OCPP');
  await eventually(() => charger.frames.some((frame) => frame.text === '[3,"1099",{}]'));
  expect(charger.frames).toHaveLength(1000);
  expect(messages).toEqual(['not OCPP']);
});
