import type { IncomingMessage } from 'node:http';
import type { Broker, RequestOutcome } from '@busbar/broker';
import type { AdmissionAnswer } from '@busbar/contracts';
import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import { createJudge } from './judge-upgrade';

async function judged(outcome: RequestOutcome<AdmissionAnswer>): Promise<unknown> {
  const broker = { request: () => Promise.resolve(outcome) } as unknown as Broker;
  const judge = createJudge({
    broker,
    clock: createFakeClock(),
    logger: createRecordingLogger(),
    strict: false,
    gatewayId: () => 'g',
    admissionLimits: { concurrency: 1, maxQueue: 1, maxWaitMs: 1_000 },
  });
  const request = { headers: {}, socket: { destroyed: false } } as unknown as IncomingMessage;
  const from = { secure: true, address: undefined, certificate: { kind: 'none' }, admitted: () => undefined } as const;
  const candidate = {
    chargerId: 'ACME_1',
    connectionId: 'c',
    choice: { kind: 'chosen', version: 'ocpp1.6', versions: ['ocpp1.6'] },
  } as const;
  return (await judge(request, from, candidate)).answer;
}

it.each<[string, RequestOutcome<AdmissionAnswer>, string]>([
  ['no charger-state is there', { outcome: 'nobody' }, 'charger_state_unavailable'],
  ['charger-state does not answer in time', { outcome: 'timeout' }, 'charger_state_unavailable'],
  ['charger-state is too old for the request', { outcome: 'unsupported_version' }, 'charger_state_unavailable'],
  ['the broker is lost before the answer', { outcome: 'lost' }, 'broker_unavailable'],
  ['the broker is unavailable', { outcome: 'unavailable' }, 'broker_unavailable'],
])('rejects an upgrade with 503 and names the cause: %s', async (_name, outcome, reason) => {
  expect(await judged(outcome)).toEqual({ outcome: 'rejected', rejection: { status: 503, reason } });
});
