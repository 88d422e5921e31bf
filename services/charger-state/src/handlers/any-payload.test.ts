// Payloads that pass the gateway's validation. No handler throws, and every decision has an answer that fits its
// schema. The record can always be stored. A redelivered message changes nothing and has the same answer.
import type { ReportEnvelope } from '@busbar/contracts';
import {
  acceptCall,
  protocolOf,
  STRICT,
  TOLERANT,
  validateRequest,
  validateResponse,
  type CallFrame,
  type Protocol,
} from '@busbar/ocpp';
import { minimalPayload } from '@busbar/testing';
import fc from 'fast-check';
import { applyBatch, type ApplyBatchDeps } from '../pipeline/apply';
import { createPartitionCaches } from '../pipeline/charger-cache';
import { createPendingSideEffects } from '../pipeline/pending-side-effects';
import { createMemoryStores, type MemoryStores } from '../testing/memory-stores';
import { newReport } from '../testing/report';
import { createRouter, type Routes } from './router';
import { createV16Routes } from './v16/routes';
import { createV2Routes } from './v2/routes';
import { createCountedStarts } from '../pipeline/transaction-ids';

const CHARGER = 'ANY';
const RECEIVED_AT = '2026-06-01T12:00:00.000Z';

type Compiled = NonNullable<ReturnType<Protocol['schemas']['get']>>;
type Schema = Compiled['request']['schema'];

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('__proto__', 'constructor', '$set', 'a.b', '\u0000'),
);
const key = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('__proto__', 'toString', '$inc', 'a.b', ''));
const timestamp = fc.oneof(
  fc
    .date({ noInvalidDate: true, min: new Date('0000-01-01'), max: new Date('9999-12-31') })
    .map((date) => date.toISOString()),
  fc.constantFrom('2026-06-01T10:00:00', '2026-06-01T10:00:00+02', '2026-06-01T11:59:59.9999999Z', ''),
);

/** Mostly values of the schema, with some that tolerant validation accepts. */
function valueOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined)
    return fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...schema.enum) }, fc.string());
  if (schema.format === 'date-time') return timestamp;
  if (schema.format === 'uri') return fc.webUrl();
  if (schema.type === 'string') return fc.string({ maxLength: 20, unit: 'binary' });
  if (schema.type === 'integer' || schema.type === 'number') return numberOf(schema);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'array') {
    return fc.array(valueOf(schema.items ?? {}), { minLength: 1, maxLength: Math.min(3, schema.maxItems ?? 3) });
  }
  if (schema.type === 'object') return objectOf(schema);
  return odd;
}

function numberOf({ type, minimum, maximum }: Schema): fc.Arbitrary<number> {
  if (minimum !== undefined || maximum !== undefined) return fc.integer({ min: minimum ?? 0, max: maximum ?? 1_000 });
  if (type === 'integer') return fc.oneof(fc.integer(), fc.constantFrom(0, 1, 2, -1, 2 ** 53, 2 ** 60));
  return fc.integer({ min: 0, max: 1_000 }).map((tenths) => tenths / 10);
}

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valueOf(field)]));
  const optional = Object.keys(fields).filter((name) => !required.includes(name));
  const known = fc.record(fields, { requiredKeys: Object.keys(fields).filter((name) => !optional.includes(name)) });
  const vendor = fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, fc.dictionary(key, odd, { maxKeys: 2 }));
  return fc.tuple(vendor, known).map(([more, values]) => ({ ...more, ...values }));
}

interface Message {
  readonly kind: 'report' | 'decision' | 'outcome';
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The request of the CALL, for an outcome. */
  readonly sent?: Readonly<Record<string, unknown>>;
}

interface Spoken {
  readonly protocol: Protocol;
  readonly routes: Routes;
}

function fromCharger({ protocol }: Spoken, action: string): fc.Arbitrary<Message> {
  return objectOf(compiledOf(protocol, action).request.schema)
    .map((payload) => acceptCall(protocol, callOf(action, payload), TOLERANT))
    .filter((judged) => judged.ok)
    .map(({ action: { kind }, payload }) => ({ kind, action, payload }));
}

function callOf(action: string, payload: unknown): CallFrame {
  return { type: 'call', id: 'm', numericId: false, action, payload, deviations: [] };
}

function outcomeOf({ protocol }: Spoken, action: string): fc.Arbitrary<Message> {
  const { request, response } = compiledOf(protocol, action);
  const answered = objectOf(response.schema)
    .map((payload) => validateResponse(protocol, action, payload, TOLERANT))
    .filter((judged) => judged.ok)
    .map(({ payload }) => ({ outcome: 'answered', payload }));
  const others = fc.constantFrom({ outcome: 'timeout' }, { outcome: 'error', code: 'InternalError', description: '' });
  // A random payload of a large schema is hardly ever valid to the letter.
  const plain = minimalPayload(request.schema);
  const sent = objectOf(request.schema).map((payload) =>
    validateRequest(protocol, action, payload, STRICT).ok ? payload : plain,
  );
  return fc
    .tuple(fc.oneof({ weight: 4, arbitrary: answered }, others), sent)
    .map(([payload, asked]) => ({ kind: 'outcome', action, payload, sent: asked }));
}

function compiledOf(protocol: Protocol, action: string): Compiled {
  const compiled = protocol.schemas.get(action);
  if (compiled === undefined) throw new Error(`${action} has no schema`);
  return compiled;
}

function messagesOf(spoken: Spoken): fc.Arbitrary<Message>[] {
  return [...spoken.protocol.actions.values()].flatMap(({ name, from, kind }) => [
    ...(from === 'us' || kind === 'send' ? [] : [fromCharger(spoken, name)]),
    // Results of other CALLs reach no handler.
    ...(spoken.routes.outcomes.has(name) ? [outcomeOf(spoken, name)] : []),
  ]);
}

function envelopeOf(ocppVersion: string, { kind, action, payload, sent }: Message, index: number): ReportEnvelope {
  const messageId = `m-${String(index)}`;
  const call = newReport({
    id: `id-${String(index)}`,
    kind,
    ocppVersion,
    chargerId: CHARGER,
    seq: index + 1,
    action,
    messageId,
    payload,
    receivedAt: RECEIVED_AT,
  });
  if (kind !== 'outcome') return call;
  return {
    ...call,
    raw: JSON.stringify([3, messageId, payload['payload'] ?? {}]),
    request: JSON.stringify([2, messageId, action, sent ?? {}]),
  };
}

function depsOf(stores: MemoryStores, { protocol, routes }: Spoken): ApplyBatchDeps {
  const { reports, clients, tags, sessions, claims } = stores;
  return {
    reports,
    sources: {
      reports,
      clients: { ...clients, find: () => Promise.resolve(undefined) },
      tags,
      sessions,
      countedStarts: createCountedStarts(),
    },
    claims,
    cache: createPartitionCaches(10).of(0),
    sideEffects: createPendingSideEffects(),
    route: createRouter({ [protocol.version]: routes }),
    heartbeatIntervalS: 300,
    isDeadGateway: () => false,
    now: () => new Date(RECEIVED_AT),
  };
}

describe.each<[string, Routes]>([
  ['ocpp1.6', createV16Routes()],
  ['ocpp2.0.1', createV2Routes()],
  ['ocpp2.1', createV2Routes()],
])('any payloads of %s that pass validation, in any order', (version, routes) => {
  it('40. applies them once and answers as the schema requires', async () => {
    const protocol = protocolOf(version);
    if (protocol === undefined) throw new Error('this build has no such version');
    const spoken = { protocol, routes };
    const list = fc.array(fc.oneof(...messagesOf(spoken)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(list, async (given) => {
        const stores = createMemoryStores();
        stores.register(CHARGER);
        const reports = given.map((message, index) => envelopeOf(version, message, index));
        const applied = await applyBatch(reports, depsOf(stores, spoken));
        for (const { report, answer } of applied) {
          if (report.kind !== 'decision') continue;
          expect(validateResponse(protocol, report.action, answer, STRICT)).toMatchObject({ ok: true });
        }
        const record = stores.chargers.get(CHARGER);
        expect(JSON.parse(JSON.stringify(record))).toEqual(record);
        const again = await applyBatch(reports, depsOf(stores, spoken));
        expect(stores.chargers.get(CHARGER)).toEqual(record);
        expect(again.map(({ answer }) => answer)).toEqual(applied.map(({ answer }) => answer));
      }),
      { numRuns: 400 },
    );
  }, 120_000);
});
