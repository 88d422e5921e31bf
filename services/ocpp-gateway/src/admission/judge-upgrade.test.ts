import type { IncomingMessage } from 'node:http';
import type { Broker, RequestOutcome } from '@busbar/broker';
import type { AdmissionAnswer } from '@busbar/contracts';
import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import { COMPATIBILITY } from '../testing/open-world';
import { createJudge } from './judge-upgrade';

async function judged(
  outcome: RequestOutcome<AdmissionAnswer>,
  { version = 'ocpp1.6', authorization }: { readonly version?: string; readonly authorization?: string } = {},
): Promise<unknown> {
  const broker = { request: () => Promise.resolve(outcome) } as unknown as Broker;
  const judge = createJudge({
    broker,
    clock: createFakeClock(),
    logger: createRecordingLogger(),
    strict: false,
    gatewayId: () => 'g',
    admissionLimits: { concurrency: 1, maxQueue: 1, maxWaitMs: 1_000 },
  });
  const request = { headers: { authorization }, socket: { destroyed: false } } as unknown as IncomingMessage;
  const from = { secure: true, address: undefined, certificate: { kind: 'none' }, admitted: () => undefined } as const;
  const candidate = {
    chargerId: 'ACME_1',
    connectionId: 'c',
    choice: { kind: 'chosen', version, versions: [version, 'ocpp1.6'] },
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

const FOREIGN = `Basic ${Buffer.from('OTHER:password').toString('base64')}`;
const ONLY_16 = { ...COMPATIBILITY, ocppVersions: ['ocpp1.6'] };

it.each([
  ['ignores a Basic header of another identity', 'ocpp2.1', FOREIGN, { securityProfile: 3 }, 'accept'],
  ['ignores an unreadable Authorization header', 'ocpp2.0.1', 'Basic !', { securityProfile: 3 }, 'accept'],
  ['refuses such a header of a charger of 1.6', 'ocpp1.6', FOREIGN, { securityProfile: 3 }, 'unauthorized'],
  [
    'refuses such a header of a charger that may speak 1.6 alone',
    'ocpp2.1',
    FOREIGN,
    { securityProfile: 3, compatibility: ONLY_16 },
    'unauthorized',
  ],
  ['refuses such a header without a certificate', 'ocpp2.1', FOREIGN, { securityProfile: 0 }, 'unauthorized'],
] as const)('107. %s', async (...row) => {
  const [, version, authorization, admitted, outcome] = row;
  const answer = {
    outcome: 'accept',
    incarnationId: 'i',
    order: 1,
    partitions: 1,
    compatibility: COMPATIBILITY,
    deviations: [],
    ...admitted,
  } as const;
  expect(await judged({ outcome: 'answered', answer }, { version, authorization })).toMatchObject({ outcome });
});
