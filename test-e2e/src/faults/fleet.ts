// Some chargers under load, registered for one episode.
import { Agent, request } from 'node:https';
import { createId } from '@busbar/core';
import { eventually } from '@busbar/testing';
import { tagOf } from './charger-life';
import { startFleetCharger, type FleetCharger, type FleetChargerOptions } from './fleet-charger';
import type { Random } from './random';

export interface Fleet {
  readonly chargers: readonly FleetCharger[];
  /** A share of the chargers does not come back when it loses its socket, a few drop theirs now. */
  setDirty(random: Random): void;
  calm(): void;
  busy(): void;
  /** All chargers are connected, have an answer to each CALL that they repeat, and send nothing more. */
  becomeSilent(): Promise<void>;
  answered(): number;
  stop(): Promise<void>;
}

/** The HTTP side that a fleet is registered with and read back from. */
export interface Api {
  /** Undefined when the API cannot be asked or has no store just now. */
  read(chargerId: string): Promise<V2Record | undefined>;
  /** The same, but why, in words, where `read` gives undefined. */
  readOrWhyNot(chargerId: string): Promise<V2Record | string>;
  register(chargerId: string, siteId: number): Promise<void>;
  remove(chargerId: string): Promise<void>;
  makeSite(): Promise<number>;
  statistics(): Promise<Readonly<Record<string, unknown>>>;
  close(): void;
}

export interface V2Record {
  readonly activeConnection: boolean;
  readonly lastMessage: string | null;
}

export interface FleetOptions extends Omit<FleetChargerOptions, 'chargerId' | 'version'> {
  /** The subprotocols that the chargers speak in turn. Default: ocpp1.6 alone. */
  readonly versions?: readonly string[] | undefined;
  readonly size: number;
  /** So many connect at the same time. Default all of them. */
  readonly groupSize?: number;
}

const SILENT_MS = 60_000;
const CONCURRENCY = 4;

export async function startFleet(api: Api, options: FleetOptions): Promise<Fleet> {
  const { groupSize = options.size } = options;
  const siteId = await eventually(() => api.makeSite());
  const prefix = createId().slice(-10);
  const ids = Array.from({ length: options.size }, (_, n) => `F_${prefix}_${String(n)}`);
  for (let from = 0; from < ids.length; from += CONCURRENCY) {
    await Promise.all(ids.slice(from, from + CONCURRENCY).map((id) => registered(api, id, siteId)));
  }
  const chargers: FleetCharger[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(chargers.map((charger) => charger.stop()));
  };
  for (let from = 0; from < ids.length; from += groupSize) {
    const group = ids.slice(from, from + groupSize);
    chargers.push(
      ...group.map((id, n) => {
        const version = options.versions?.[(from + n) % options.versions.length];
        return startFleetCharger({ ...options, chargerId: id, version, random: options.random.fork() });
      }),
    );
    await eventually(() => chargers.every((charger) => charger.isOpen()), SILENT_MS).catch(async (error: unknown) => {
      const open = chargers.filter((charger) => charger.isOpen()).length;
      const reasons = [...new Set(chargers.flatMap(({ ledger }) => ledger.failedOpens))].join(', ');
      await stop();
      throw new Error(`${String(open)} of ${String(chargers.length)} chargers are connected: ${reasons}`, {
        cause: error,
      });
    });
  }

  return {
    chargers,
    setDirty(random) {
      for (const charger of chargers) {
        charger.stayDisconnected(random.chance(0.25));
        if (random.chance(0.1)) charger.drop();
      }
    },
    calm: () => chargers.forEach((charger) => charger.become('calm')),
    busy() {
      for (const charger of chargers) {
        charger.stayDisconnected(false);
        charger.become('busy');
      }
    },
    async becomeSilent() {
      for (const charger of chargers) {
        charger.stayDisconnected(false);
        charger.become('silent');
      }
      await eventually(() => chargers.every((charger) => charger.isAnswered()), SILENT_MS);
    },
    answered: () => chargers.reduce((sum, { ledger }) => sum + ledger.answered, 0),
    stop,
  };
}

/** Resolves when the record exists. An API without its store may have responded otherwise before. */
async function registered(api: Api, chargerId: string, siteId: number): Promise<void> {
  await eventually(async () => {
    await api.register(chargerId, siteId).catch(async (error: unknown) => {
      if ((await api.read(chargerId)) === undefined) throw error;
    });
    return true;
  });
}

/** the v2 API, on persistent connections, for many requests. */
export function createApi(base: () => Promise<string>, apiKey: string): Api {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY, rejectUnauthorized: false });

  async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }> {
    const url = `${await base()}${path}`;
    return new Promise((resolve, reject) => {
      const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
      const asked = request(url, { method, agent, headers, timeout: 5_000 }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, json: text === '' ? {} : JSON.parse(text) }),
        );
        response.on('error', reject);
      });
      asked.on('error', reject);
      asked.on('timeout', () => asked.destroy(new Error(`no answer from ${url}`)));
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async function must(method: string, path: string, body?: unknown): Promise<unknown> {
    const { status, json } = await ask(method, path, body);
    if (status !== 200) throw new Error(`${method} ${path} gave ${String(status)}: ${JSON.stringify(json)}`);
    return json;
  }

  async function readOrWhyNot(chargerId: string): Promise<V2Record | string> {
    const reply = await ask('GET', `/chargers/${chargerId}`).catch(String);
    if (typeof reply === 'string') return reply;
    if (reply.status === 503) return JSON.stringify(reply.json);
    if (reply.status !== 200) throw new Error(`reading ${chargerId} gave ${String(reply.status)}`);
    return reply.json as V2Record;
  }

  return {
    readOrWhyNot,
    async read(chargerId) {
      const record = await readOrWhyNot(chargerId);
      return typeof record === 'string' ? undefined : record;
    },
    async register(chargerId, siteId) {
      await must('POST', '/chargers', { name: 'Fleet', chargerId, siteId });
      // One that was made before has its tag still.
      const { status } = await ask('POST', '/tags', { idTag: tagOf(chargerId) });
      if (status !== 200 && status !== 409) throw new Error(`the tag of ${chargerId} gave ${String(status)}`);
    },
    async remove(chargerId) {
      await must('DELETE', `/chargers/${chargerId}`);
    },
    makeSite: async () => ((await must('POST', '/sites', { name: 'Fleet' })) as { id: number }).id,
    statistics: async () => (await must('GET', '/statistics')) as Readonly<Record<string, unknown>>,
    close: () => agent.destroy(),
  };
}
