import { connectCharger, type ScriptedCharger, type ScriptedChargerOptions } from '@busbar/testing';
import { http, type HttpCall, type HttpReply } from './http';
import type { Program } from './program';
import type { ServedDocuments } from './served-documents';

/** The addresses and the key of a running network, however many processes it is. */
export interface Addresses {
  /** `https://…/v2` */
  readonly v2: string;
  /** `https://…/api` */
  readonly api: string;
  /** `wss://…/ocpp/` */
  readonly ocpp: string;
  /** Plain HTTP to the same ports. */
  readonly plain: { readonly v2: string; readonly api: string };
  /** The metrics of the process that serves chargers. */
  readonly gatewayMetrics: string;
  /** The metrics of every process. */
  readonly metrics: readonly string[];
}

export type WorldKind = 'one process' | 'four processes';

/** A running network. Other test files may use it too, each with clients, chargers and tags of its own. */
export interface World {
  readonly kind: WorldKind;
  readonly clientId: string;
  readonly apiKey: string;
  /** For `npm run admin`. */
  readonly storeUrl: string;
  /** The URL of its RabbitMQ, where it has one. */
  readonly brokerUrl?: string | undefined;
  readonly served: ServedDocuments;
  addresses(): Addresses;
}

/** A network that one test file has for itself, and may stop and break. */
export interface OwnWorld extends World {
  /** The process that serves a part: in the one-process mode always the same. */
  program(part: 'gateway' | 'charger-state' | 'push' | 'v2-api' | 'legacy-api'): Program;
  /** Ends every process with this signal and starts them again on the same data. */
  restart(signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

/** Identifiers that no other test uses, so that tests need no order and no clean slate. */
export function uniqueId(prefix: string): string {
  return `${prefix}_${Math.random().toString(36).slice(2, 12)}`;
}

/** A v2 call with the world's key. Fails when the reply is not as the document says. */
export async function v2(world: World, path: string, call: HttpCall = {}): Promise<HttpReply> {
  const base = world.addresses().v2;
  const headers = { 'x-api-key': world.apiKey, ...call.headers };
  const reply = await http(`${base}${path}`, { ...call, headers });
  await world.served.check(`${base}/openapi.json`, { method: call.method ?? 'GET', path: `/v2${path}` }, reply);
  return reply;
}

/** A call of the v1 API with the world's code and client. Fails when the reply is not as the document says. */
export async function legacy(world: World, path: string, call: HttpCall = {}): Promise<HttpReply> {
  const query = `code=${encodeURIComponent(world.apiKey)}&clientId=${encodeURIComponent(world.clientId)}`;
  const base = world.addresses().api;
  const reply = await http(`${base}${path}${path.includes('?') ? '&' : '?'}${query}`, call);
  await world.served.check(`${base}/swagger.json`, { method: call.method ?? 'GET', path: `/api${path}` }, reply);
  return reply;
}

/** A site and a charger in it, registered through v2. */
export async function registerCharger(
  world: World,
  chargerId = uniqueId('E2E'),
): Promise<{ chargerId: string; siteId: number }> {
  const site = await v2(world, '/sites', { method: 'POST', body: { name: 'A site' } });
  const siteId = (site.json as { id: number }).id;
  const made = await v2(world, '/chargers', { method: 'POST', body: { name: 'A charger', chargerId, siteId } });
  if (made.status !== 200) throw new Error(`the charger was not made: ${made.text}`);
  return { chargerId, siteId };
}

const connected = new Set<ScriptedCharger>();

export async function connect(
  world: World,
  chargerId: string,
  options: Partial<ScriptedChargerOptions> = {},
): Promise<ScriptedCharger> {
  const url = `${world.addresses().ocpp}${encodeURIComponent(chargerId)}`;
  const charger = await connectCharger({ url, ...options });
  connected.add(charger);
  return charger;
}

/** Ends the sockets that tests of this file left open: on a network that continues they would keep the run alive. */
export function terminateChargers(): void {
  for (const charger of connected) charger.terminate();
  connected.clear();
}

export interface V2Charger {
  readonly chargerId: string;
  readonly activeConnection: boolean;
  readonly state: string;
  readonly lastSeen: string | null;
  readonly lastMessage: string | null;
  readonly [field: string]: unknown;
}

export async function readV2(world: World, chargerId: string): Promise<V2Charger> {
  const reply = await v2(world, `/chargers/${encodeURIComponent(chargerId)}`);
  if (reply.status !== 200) throw new Error(`reading ${chargerId} gave ${String(reply.status)}: ${reply.text}`);
  return reply.json as V2Charger;
}

export async function readLegacy(world: World, chargerId: string): Promise<Readonly<Record<string, unknown>>> {
  const reply = await legacy(world, `/charger/${encodeURIComponent(chargerId)}`);
  if (reply.status !== 200) throw new Error(`reading ${chargerId} gave ${String(reply.status)}: ${reply.text}`);
  return reply.json as Readonly<Record<string, unknown>>;
}
