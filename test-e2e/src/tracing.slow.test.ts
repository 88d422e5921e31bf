// The trace of one command through every process, as a collector receives it.
import { randomBytes } from 'node:crypto';
import { describeWithServers, eventually } from '@busbar/testing';
import { startCollector, type Collector, type CollectedSpan } from './harness/collector';
import { openEmbeddedWorld } from './harness/embedded';
import { openProcessesWorld } from './harness/processes';
import { connect, legacy, readV2, registerCharger, terminateChargers, v2, type OwnWorld } from './harness/world';

const START_MS = 120_000;
const LEGACY_ROUTE = 'POST /api/charger/start/:chargerId/:socketId/:rfidTag';
const V2_ROUTE = 'POST /v2/chargers/:chargerId/start-charging';

type Service = 'v2-api' | 'legacy-api' | 'ocpp-gateway' | 'charger-state';

function describeTraces(open: (env: Readonly<Record<string, string>>) => Promise<OwnWorld>, inOne: boolean): void {
  let collector: Collector;
  let world: OwnWorld;
  beforeAll(async () => {
    collector = await startCollector();
    world = await open({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20for-the-collector',
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    });
  }, START_MS);
  afterAll(async () => {
    terminateChargers();
    await world.stop();
    await collector.stop();
  }, START_MS);

  const serviceOf = (service: Service): string => (inOne ? 'busbar' : service);
  const spansOf = (traceId: string): readonly CollectedSpan[] =>
    collector.spans().filter((span) => span.traceId === traceId);

  async function connected(): Promise<string> {
    const { chargerId } = await registerCharger(world);
    const charger = await connect(world, chargerId);
    await charger.boot();
    await eventually(async () => (await readV2(world, chargerId)).activeConnection);
    return chargerId;
  }

  it('joins the request, the CALL and the writes of a start through either API under one trace id', async () => {
    const chargerId = await connected();
    const traceId = randomBytes(16).toString('hex');
    const caller = randomBytes(8).toString('hex');
    const headers = { traceparent: `00-${traceId}-${caller}-01` };
    const body = { socketId: 1, rfidTag: 'TAG-1234' };
    const started = await v2(world, `/chargers/${chargerId}/start-charging`, { method: 'POST', headers, body });
    expect(started.status).toBe(200);
    const older = await legacy(world, `/charger/start/${chargerId}/2/TAG-1234`, { method: 'POST', headers });
    expect(older.status).toBe(200);

    const expected: readonly (readonly [Service, string, string])[] = [
      ['v2-api', V2_ROUTE, caller],
      ['legacy-api', LEGACY_ROUTE, caller],
      ['v2-api', 'send gateway', V2_ROUTE],
      ['legacy-api', 'send gateway', LEGACY_ROUTE],
      ['ocpp-gateway', 'process gateway', 'send gateway'],
      ['ocpp-gateway', 'CALL RemoteStartTransaction', 'process gateway'],
      ['charger-state', 'apply RemoteStartTransaction', 'CALL RemoteStartTransaction'],
    ];
    await eventually(() => spansOf(traceId).filter(({ name }) => name.startsWith('apply ')).length === 2);
    await eventually(() => spansOf(traceId).some(({ name }) => name === LEGACY_ROUTE));
    const spans = spansOf(traceId);
    const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
    const seen = spans.map(({ service, name, parentSpanId = '' }) => [
      service,
      name,
      names.get(parentSpanId) ?? parentSpanId,
    ]);
    for (const [service, name, parent] of expected) expect(seen).toContainEqual([serviceOf(service), name, parent]);
    expect(seen).toContainEqual([serviceOf('v2-api'), 'insert commands', V2_ROUTE]);
    expect(spans.filter(({ failed }) => failed)).toEqual([]);
  });

  it('names an error by its code', async () => {
    const { chargerId } = await registerCharger(world);
    const charger = await connect(world, chargerId, {
      answers: { RemoteStartTransaction: () => ({ errorCode: 'InternalError', errorDescription: 'secret words' }) },
    });
    await charger.boot();
    await eventually(async () => (await readV2(world, chargerId)).activeConnection);
    const traceId = randomBytes(16).toString('hex');
    const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
    await v2(world, `/chargers/${chargerId}/start-charging`, {
      method: 'POST',
      headers,
      body: { socketId: 1, rfidTag: 'TAG-1234' },
    });
    await eventually(() => spansOf(traceId).some(({ name }) => name === V2_ROUTE));
    const isCall = ({ name }: CollectedSpan): boolean => name === 'CALL RemoteStartTransaction';
    expect((await eventually(() => spansOf(traceId).find(isCall))).failed).toBe(true);
  });

  it('holds no key, client id, tag, text of a charger, or text of a query', () => {
    const text = collector.text();
    expect(text).toContain(V2_ROUTE);
    for (const secret of [world.apiKey, world.clientId, 'TAG-1234', 'secret words', 'code=']) {
      expect(text).not.toContain(secret);
    }
    expect([...collector.authorizations]).toEqual(['Bearer for-the-collector']);
  });

  it('is recorded as the sampler says: nothing that no caller samples', () => {
    expect(collector.text()).not.toContain('GET /v2/chargers/:chargerId');
  });

  it('disturbs nothing where the collector fails, which the log says once', async () => {
    const chargerId = await connected();
    collector.refuse(true);
    const warnings = (): number => world.program('v2-api').output().split('traces cannot be sent').length - 1;
    const headers = { traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01` };
    const path = `/chargers/${chargerId}`;
    await eventually(async () => {
      expect((await v2(world, path, { headers })).status).toBe(200);
      return warnings() > 0;
    }, 60_000);
    expect(warnings()).toBe(1);
    collector.refuse(false);
    await eventually(async () => {
      await v2(world, path, { headers });
      return world.program('v2-api').output().includes('traces are sent to the collector again');
    }, 60_000);
  }, 120_000);
}

describe('a trace in one process', () => describeTraces((env) => openEmbeddedWorld(env), true));
describeWithServers('a trace in four processes', () => describeTraces((env) => openProcessesWorld(env), false));
