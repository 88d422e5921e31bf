// Receives the events of a webhook: verifies the signature, stores the event, responds, and handles it then.
//   WEBHOOK_SECRET=whsec_… npx tsx receive-webhooks.ts
// A proxy in front of it has the certificate. The file is the database of this example: the ids are its unique index.
import { existsSync, fdatasyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

interface Event {
  readonly id: string;
  readonly type: string;
  readonly chargerId: string | null;
  /** Null for events of no charger. */
  readonly sequence: number | null;
  readonly data: Record<string, unknown>;
}

const webhook = new Webhook(process.env['WEBHOOK_SECRET'] ?? '');
const path = process.env['EVENTS_FILE'] ?? 'events.jsonl';
const host = process.env['HOST'] ?? '127.0.0.1';
const port = Number(process.env['PORT'] ?? '8080');
/** A body has at most 20 kB. */
const MAX_BODY_BYTES = 65_536;
/** More missing numbers than a receiver of all types ever has. */
const MAX_MISSING = 1_000;

const ids = new Set<string>();
const registrations = new Map<string, { last: number; missing: Set<number> }>();
const states = new Map<string, { sequence: number; state: unknown }>();

restore();
const file = openSync(path, 'a');
const server = createServer((request, response) => {
  receive(request, response).catch((error: unknown) => {
    console.error(error);
    // Not stored: the service keeps the event and tries again.
    response.writeHead(503).end();
  });
});
server.listen(port, host, () => console.log(`listening on ${String((server.address() as AddressInfo).port)}`));
process.once('SIGTERM', () => server.close());

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  if (body === undefined) return void response.writeHead(413, { connection: 'close' }).end();
  let event: Event;
  try {
    // Over the bytes as they were received: another serializer would write other ones.
    event = webhook.verify(body, request.headers as Record<string, string>) as Event;
  } catch (error) {
    console.error(`rejected: ${String(error)}`);
    return void response.writeHead(401).end();
  }
  const isNew = !ids.has(event.id);
  if (isNew) store(event);
  // Also for a duplicate: the response to its first delivery was lost.
  response.writeHead(204).end();
  if (isNew) setImmediate(handle, event, console.log);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function store(event: Event): void {
  writeSync(file, `${JSON.stringify(event)}\n`);
  // On the disk before the response: the service does not send it again.
  fdatasyncSync(file);
  ids.add(event.id);
}

/** Reads what was stored before. Drops an event that was half written, which was not acknowledged. */
function restore(): void {
  if (!existsSync(path)) return;
  const text = readFileSync(path, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== text) truncateSync(path, Buffer.byteLength(whole));
  for (const line of whole.split('\n').filter(Boolean)) {
    const event = JSON.parse(line) as Event;
    ids.add(event.id);
    handle(event, () => undefined);
  }
}

function handle(event: Event, print: (line: string) => void): void {
  const { id, type, chargerId, sequence, data } = event;
  print(`event ${id} ${type}`);
  if (sequence === null) return;
  checkGap(event, sequence, print);
  if (type !== 'socket.state_changed') return;
  // An event that arrives late must not undo a newer one.
  const socket = `${String(chargerId)}/${String(data['socketId'])}`;
  const known = states.get(`${registrationOf(id)}/${socket}`);
  if (known !== undefined && known.sequence > sequence) return;
  states.set(`${registrationOf(id)}/${socket}`, { sequence, state: data['state'] });
  print(`state ${socket} ${String(data['state'])}`);
}

/** The numbers have no gap only for a webhook that has all types: ["*", "socket.state_reported", "meter.values"]. */
function checkGap({ id, chargerId }: Event, sequence: number, print: (line: string) => void): void {
  const known = registrations.get(registrationOf(id));
  if (known === undefined) return void registrations.set(registrationOf(id), { last: sequence, missing: new Set() });
  if (known.missing.delete(sequence)) print(`late ${String(chargerId)} ${String(sequence)}`);
  if (sequence > known.last + 1) print(`gap ${String(chargerId)} ${String(known.last + 1)}-${String(sequence - 1)}`);
  for (let n = known.last + 1; n < sequence && known.missing.size < MAX_MISSING; n++) known.missing.add(n);
  known.last = Math.max(known.last, sequence);
}

/** A charger that is deleted and created again counts anew. The id has its registration in front of the sequence. */
function registrationOf(id: string): string {
  return id.slice(0, id.lastIndexOf('_'));
}
