// The attacks on the gateway. Each takes a few seconds at most, leaves nothing open, and throws where the gateway answered
// what it must not.
import { setTimeout as last } from 'node:timers/promises';
import { connectCharger, type ScriptedCharger } from '@busbar/testing';
import type { Random } from '../faults/random';
import { anyFrame } from './frames';
import { handshake, openRaw, openRawWebsocket, randomBytes, rawFrame, type RawSocket } from './sockets';

export interface Target {
  readonly plainPort: number;
  readonly tlsPort: number;
  /** Registered chargers that attacks may connect as. */
  readonly chargerIds: readonly string[];
  /** Subprotocols that attacks offer, one for each connection. */
  readonly versions: readonly string[];
}

export interface Attack {
  readonly name: string;
  run(target: Target, random: Random): Promise<void>;
}

const FRAMES_EACH = 300;
const MAX_FRAME = 262_144;

export const attacks: readonly Attack[] = [
  { name: 'frames', run: frames },
  { name: 'websocket frames that are none', run: brokenWebsocketFrames },
  { name: 'handshakes', run: handshakes },
  { name: 'sizes', run: sizes },
  { name: 'floods', run: floods },
  { name: 'slow sockets', run: slowSockets },
  { name: 'sockets that come and go', run: churn },
  { name: 'rubbish instead of TLS', run: rubbish },
];

/** Every answer is a frame, and there is at most one for each frame that was sent with its id. */
async function frames(target: Target, random: Random): Promise<void> {
  const charger = await connectAs(target, random);
  if (charger === undefined) return;
  const asked = new Map<string, number>();
  for (let i = 0; i < FRAMES_EACH && charger.closed() === undefined; i += 1) {
    const text = anyFrame(random, charger.subprotocol);
    const id = idOf(text);
    asked.set(id, (asked.get(id) ?? 0) + 1);
    charger.send(text);
    if (random.chance(0.1)) await Promise.race([charger.ping(), charger.ended]);
  }
  await Promise.race([charger.call('Heartbeat', {}).catch(() => undefined), charger.ended]);
  const answers = charger.frames.filter(({ from }) => from === 'service').map(({ text }) => text);
  charger.terminate();
  // A frame of 2.x without a usable id is answered under this one.
  if (charger.subprotocol !== 'ocpp1.6') asked.set('"-1"', FRAMES_EACH);
  for (const answer of answers) judge(answer, asked);
}

function judge(text: string, asked: Map<string, number>): void {
  const frame: unknown = JSON.parse(text);
  if (!Array.isArray(frame)) throw new Error(`no frame: ${text}`);
  if (frame[0] === 2 && frame.length === 4) return;
  const isAnswer = (frame[0] === 3 && frame.length === 3) || (frame[0] === 4 && frame.length === 5);
  if (!isAnswer) throw new Error(`no answer: ${text}`);
  const id = JSON.stringify(frame[1]);
  if (/^"m-\d+"$/.test(id)) return;
  const left = (asked.get(id) ?? 0) - 1;
  if (left < 0) throw new Error(`an answer to nothing, or one too many: ${text}`);
  asked.set(id, left);
}

function idOf(text: string): string {
  try {
    const frame: unknown = JSON.parse(text);
    return Array.isArray(frame) && frame.length > 1 ? JSON.stringify(frame[1]) : '';
  } catch {
    return '';
  }
}

async function brokenWebsocketFrames({ plainPort, chargerIds, versions }: Target, random: Random): Promise<void> {
  const version = random.pick(versions);
  const extra = random.chance(0.5) ? 'Sec-WebSocket-Extensions: permessage-deflate\r\n' : '';
  const raw = await openRawWebsocket(plainPort, random.pick(chargerIds), version, extra);
  if (raw === undefined) return;
  for (let i = 0; i < 20 && !raw.socket.destroyed; i += 1) {
    const payload = random.chance(0.5)
      ? Buffer.from(anyFrame(random, version))
      : randomBytes(random, random.below(300));
    const claims = random.chance(0.1)
      ? BigInt(random.pick([0, 125, 65_536, 2 ** 32, Number.MAX_SAFE_INTEGER]))
      : undefined;
    raw.write(
      rawFrame(payload, {
        fin: random.chance(0.7),
        reserved: random.chance(0.2) ? random.below(8) : 0,
        opcode: random.chance(0.6) ? 1 : random.below(16),
        masked: random.chance(0.95),
        ...(claims === undefined ? {} : { claims }),
      }),
    );
    if (random.chance(0.2)) await raw.read(20, () => false);
  }
  raw.destroy();
}

async function handshakes({ plainPort, chargerIds, versions }: Target, random: Random): Promise<void> {
  for (let i = 0; i < 20; i += 1) {
    const version = random.pick(versions);
    const raw = openRaw(plainPort);
    const right = handshake(
      random.pick([...chargerIds, 'NOBODY', '%', '%00', '..', 'a'.repeat(300)]),
      version,
      oddHeader(random),
    );
    const at = random.below(right.length);
    raw.write(
      random.pick([
        right,
        right.slice(0, at),
        right.slice(0, at) + randomBytes(random, 5).toString('latin1') + right.slice(at),
        right.replace('13', random.pick(['12', '', '13, 13', '99999999999'])),
        right.replace('GET', random.pick(['POST', 'CONNECT', 'get', ''])),
        right.replace(version, random.pick(['', ',', `${version},${version}`, 'ocpp9', 'ö', 'a b'])),
        right.replace('AAAA', random.pick(['', 'A', '!!!!'])),
        right.replace('HTTP/1.1', random.pick(['HTTP/1.0', 'HTTP/9.9', 'SMTP'])),
        right + right,
      ]),
    );
    if (random.chance(0.3)) raw.socket.end();
    const received = await raw.read(200, (text) => text.includes('\r\n\r\n'));
    raw.destroy();
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(received)?.[1];
    if (received !== '' && (status === undefined || status.startsWith('50'))) {
      if (status !== '503') throw new Error(`a handshake was answered with ${received.slice(0, 200)}`);
    }
  }
}

function oddHeader(random: Random): string {
  return random.pick([
    '',
    '',
    `Authorization: Basic ${randomBytes(random, 30).toString('base64')}\r\n`,
    'Authorization: Basic\r\n',
    'Authorization: Bearer x\r\n',
    `X-Long: ${'x'.repeat(random.below(20_000))}\r\n`,
    'Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99\r\n',
    'Sec-WebSocket-Extensions: ,;=\r\n',
    'Content-Length: 5\r\n',
    'Transfer-Encoding: chunked\r\n',
    'X-Forwarded-Proto: https\r\nX-Forwarded-For: not an address\r\n',
  ]);
}

async function sizes(target: Target, random: Random): Promise<void> {
  const charger = await connectAs(target, random, random.chance(0.5));
  if (charger === undefined) return;
  const length = random.pick([MAX_FRAME - 1, MAX_FRAME, MAX_FRAME + 1, 2 * MAX_FRAME, 10_000_000]);
  const deep = random.pick(['[', '{"a":']).repeat(Math.floor(length / 5));
  const filler = random.pick(
    ['a', '\\u0000', '𝕏', '[[[[[[[['].map((piece) => piece.repeat(length / Buffer.byteLength(piece))),
  );
  const text = random.pick([filler, deep, `[2,"s","DataTransfer",{"vendorId":"V","data":"${filler}"}]`]);
  if (random.chance(0.5)) {
    charger.send(text);
  } else {
    const piece = random.pick([100, 4_096, 65_536]);
    for (let from = 0; from < Math.min(text.length, 2 * MAX_FRAME) && charger.closed() === undefined; from += piece) {
      charger.send(text.slice(from, from + piece), { fin: from + piece >= text.length });
    }
  }
  await Promise.race([charger.call('Heartbeat', {}).catch(() => undefined), charger.ended]);
  charger.terminate();
}

async function floods(target: Target, random: Random): Promise<void> {
  const reads = random.chance(0.5);
  const charger = await connectAs(target, random);
  if (charger === undefined) return;
  if (!reads) charger.pause();
  const payload = JSON.stringify({ own: 'x'.repeat(random.below(500)) });
  for (let i = 0; i < 3_000 && charger.closed() === undefined; i += 1) {
    const id = random.chance(0.2) ? 'same' : String(i);
    charger.send(`[2,"${id}","${random.pick(['Heartbeat', 'Authorize', 'NoSuchAction'])}",${payload}]`);
    if (i % 500 === 0) await letSocketsWork();
  }
  if (reads) await Promise.race([charger.call('Heartbeat', {}).catch(() => undefined), charger.ended]);
  charger.terminate();
}

/** Bytes that come one at a time or not at all, and answers that nobody reads. */
async function slowSockets({ plainPort, tlsPort, chargerIds, versions }: Target, random: Random): Promise<void> {
  const version = random.pick(versions);
  const open: RawSocket[] = [];
  for (let i = 0; i < 20; i += 1) {
    const raw = openRaw(random.pick([plainPort, tlsPort]));
    open.push(raw);
    if (random.chance(0.7)) raw.write(handshake(random.pick(chargerIds), version).slice(0, random.below(200)));
  }
  const websocket = await openRawWebsocket(plainPort, random.pick(chargerIds), version);
  if (websocket !== undefined) {
    open.push(websocket);
    websocket.socket.pause();
    const frame = rawFrame(Buffer.from('[2,"slow","Heartbeat",{}]'));
    for (const byte of frame) {
      websocket.write(Buffer.from([byte]));
      await letSocketsWork();
    }
  }
  for (const raw of open) raw.destroy();
}

async function churn(target: Target, random: Random): Promise<void> {
  const chargerId = random.pick(target.chargerIds);
  await Promise.all(
    Array.from({ length: 15 }, async () => {
      const charger = await connectAs({ ...target, chargerIds: [chargerId] }, random);
      if (charger === undefined) return;
      charger.send(anyFrame(random, charger.subprotocol));
      if (random.chance(0.5)) await letSocketsWork();
      if (random.chance(0.5)) charger.terminate();
      else await charger.close(random.pick([1000, 1001, 3000, 4999])).catch(() => charger.terminate());
    }),
  );
}

async function rubbish({ tlsPort, plainPort }: Target, random: Random): Promise<void> {
  for (let i = 0; i < 10; i += 1) {
    const raw = openRaw(random.pick([tlsPort, plainPort]));
    raw.write(
      Buffer.concat([Buffer.from([random.pick([0x16, 0x80, 0x00, 0x47])]), randomBytes(random, random.below(400))]),
    );
    await raw.read(50, () => false);
    raw.destroy();
  }
}

/** A charger on the plain port; undefined where it was refused or replaced before it could talk. */
async function connectAs(
  { plainPort, chargerIds, versions }: Target,
  random: Random,
  perMessageDeflate = false,
): Promise<ScriptedCharger | undefined> {
  const url = `ws://127.0.0.1:${String(plainPort)}/ocpp/${random.pick(chargerIds)}`;
  const subprotocols = [random.pick(versions)];
  return connectCharger({ url, subprotocols, perMessageDeflate, logLength: 10_000 }).catch(() => undefined);
}

/** Lets the sockets work for a moment. */
function letSocketsWork(): Promise<void> {
  return last(5);
}
