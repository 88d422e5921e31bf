import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@busbar/testing';
import { WebSocketServer, type WebSocket } from 'ws';
import { openConnection, type Connection, type ConnectionEvents } from './connection';

let server: Server;
let service: WebSocket | undefined;
let messages: string[];
let failures: string[];
let connection: Connection;

const onCall: ConnectionEvents['onCall'] = (action) => {
  if (action === 'ClearCache') throw new Error('broken');
  if (action === 'GetInstalledCertificateIds') return { answer: 'NotSupported' };
  return { answer: { status: 'Accepted' }, then: () => Promise.reject(new Error('later')) };
};

beforeEach(async () => {
  messages = [];
  failures = [];
  server = createServer();
  const websockets = new WebSocketServer({ server });
  websockets.on('connection', (socket) => {
    service = socket;
    socket.on('message', (data: Buffer) => messages.push(data.toString('utf8')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const onFailure = (reason: string): void => void failures.push(reason);
  connection = await openConnection(
    { url: `ws://127.0.0.1:${String(port)}/ocpp/SIM_1`, version: 'ocpp1.6' },
    { onCall, onFrame: () => undefined, onFailure },
  );
});
afterEach(async () => {
  service?.terminate();
  await connection.ended;
  await new Promise((resolve) => server.close(resolve));
});

it.each([
  ['[2,"1","Reset",{"type":"Soft"}]', '[3,"1",{"status":"Accepted"}]'],
  ['[2,"1","Reset",{"type":"Warm"}]', '[4,"1","PropertyConstraintViolation"'],
  ['[2,"1","Reset",{}]', '[4,"1","OccurenceConstraintViolation"'],
  ['[2,"1","Heartbeat",{}]', '[4,"1","NotSupported"'],
  ['[2,"1","GetInstalledCertificateIds",{"certificateType":"ManufacturerRootCertificate"}]', '[4,"1","NotSupported"'],
  ['[2,"1","Unheard",{}]', '[4,"1","NotImplemented"'],
  ['[2,"1","ClearCache",{}]', '[4,"1","InternalError"'],
])('answers %s with %s', async (call, answer) => {
  service?.send(call);
  await eventually(() => messages.length === 1);
  expect(messages[0]?.slice(0, answer.length)).toBe(answer);
});

it('sends a message that has no answer', async () => {
  connection.sendUnanswered('NotifyPeriodicEventStream', { id: 1 });
  await eventually(() => messages.length === 1);
  expect(messages).toEqual(['[6,"s-1","NotifyPeriodicEventStream",{"id":1}]']);
});

it('reports what fails after an answer', async () => {
  service?.send('[2,"1","Reset",{"type":"Soft"}]');
  await eventually(() => failures.length === 1);
  expect(failures).toEqual(['Reset: Error: later']);
});

it('sends one CALL at a time, and checks the answer', async () => {
  const first = connection.call('Heartbeat', {});
  const second = connection.call('Authorize', { idTag: 'TAG-1' });
  await eventually(() => messages.length === 1);
  service?.send('[3,"m-1",{"currentTime":"2026-01-01T00:00:00Z"}]');
  expect(await first).toMatchObject({ outcome: 'answered' });
  await eventually(() => messages.length === 2);
  service?.send('[3,"m-2",{}]');
  expect(await second).toMatchObject({ outcome: 'invalid_answer' });
});

it('ends CALLs with the connection', async () => {
  const call = connection.call('Heartbeat', {});
  service?.close(1001, 'bye');
  expect(await call).toEqual({ outcome: 'disconnected' });
  expect(await connection.ended).toEqual({ code: 1001, reason: 'bye' });
  expect(await connection.call('Heartbeat', {})).toEqual({ outcome: 'disconnected' });
});
