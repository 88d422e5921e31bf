import type { ReportEnvelope } from '@busbar/contracts';
import type { Charger, ChargerCertificate } from '@busbar/domain/chargers';
import { newCharger } from '@busbar/domain/testing';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import type { Applied } from '../../../pipeline/contract';
import type { Authority } from './authority';
import { createSigner, type CertificateMessages, type SignerDeps } from './signer';

const TIMESTAMP = '2026-01-01T00:00:00.000Z';

function certificate(incarnationId: string, serialNumber: string): ChargerCertificate {
  return { serialNumber, chargerId: 'A', incarnationId, issuedAt: TIMESTAMP, notAfter: TIMESTAMP };
}

const MESSAGES: CertificateMessages = {
  attempts: 3,
  requestIn: ({ payload }) => ({
    type:
      (payload as { certificateType?: string }).certificateType === 'V2GCertificate'
        ? 'V2GCertificate'
        : 'ChargingStationCertificate',
    csr: 'csr',
    signed: (certificateChain) => ({ certificateChain }),
  }),
  statusIn: (outcome) => (outcome.outcome === 'answered' ? String(outcome.payload['status']) : undefined),
};

const CONNECTED = newCharger({
  chargerId: 'A',
  incarnationId: 'now',
  connection: { ...newCharger().connection, active: true, gatewayId: 'g', ocppVersion: 'ocpp2.1' },
});

/** A signer with these stored certificates. Its charger answers with these statuses, one after the other, then Accepted. */
function openSigner(kept: ChargerCertificate[], statuses: readonly string[] = []) {
  let stored = CONNECTED;
  let isDown = false;
  const gateways: string[] = [];
  const answers = [...statuses];
  const waits: (readonly [timeoutMs: number, waitMs: number])[] = [];
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const authority: Authority = {
    check: () => Promise.resolve(),
    sign: () => Promise.resolve({ chain: 'chain', certificate: certificate('now', `new ${String(kept.length)}`) }),
  };
  const deps: SignerDeps = {
    clock,
    logger,
    authorities: { ChargingStationCertificate: authority, V2GCertificate: authority },
    records: {
      certificates: {
        list: () => Promise.resolve(kept),
        insert: (each) => Promise.resolve(void kept.push(each)),
      },
    },
    reports: { loadChargers: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve([stored])) },
    link: {
      call({ gatewayId }, { timeoutMs, waitMs }) {
        gateways.push(gatewayId);
        waits.push([timeoutMs, waitMs]);
        const payload = { status: answers.shift() ?? 'Accepted' };
        return Promise.resolve({ outcome: 'answered', payload, deviations: [] });
      },
    },
  };
  const signer = createSigner(deps, MESSAGES);
  const request = (certificateType?: string, more: Partial<Applied> = {}): void => {
    const report = { action: 'SignCertificate', payload: { certificateType } } as unknown as ReportEnvelope;
    signer.follow([{ report, charger: CONNECTED, answer: { status: 'Accepted' }, isNew: true, ...more }]);
    clock.advance(1_000);
  };
  return {
    repeat: () => request(undefined, { isRepeat: true }),
    clock,
    logger,
    waits,
    gateways,
    /** The charger connects so from now on. */
    reconnect: (connection: Partial<Charger['connection']>) =>
      void (stored = { ...CONNECTED, connection: { ...CONNECTED.connection, ...connection } }),
    setDown: (down: boolean) => void (isDown = down),
    /** The log line about the result of a request. */
    async ask(certificateType?: string): Promise<string> {
      const before = logger.lines.length;
      request(certificateType);
      return eventually(() => logger.lines[before]?.message);
    },
  };
}

it('signs for a registration whose charger id has many certificates of earlier ones', async () => {
  const kept = Array.from({ length: 100 }, (_, n) => certificate('before', String(n)));
  const signer = openSigner(kept);
  expect(await signer.ask()).toBe('sent a certificate to its charger');
  expect(kept.at(-1)).toMatchObject({ incarnationId: 'now' });
});

it('161. gives the charger a minute to answer', async () => {
  const signer = openSigner([]);
  await signer.ask();
  expect(signer.waits).toEqual([[60_000, 60_000]]);
});

it('119. signs no second certificate for a request that the charger sends again', async () => {
  const signer = openSigner([]);
  signer.repeat();
  await signer.ask('V2GCertificate');
  expect(signer.logger.lines.map(({ fields }) => fields)).toMatchObject([{ type: 'V2GCertificate' }]);
});

it('signs at most 100 for one registration', async () => {
  const kept = Array.from({ length: 99 }, (_, n) => certificate('now', String(n)));
  const signer = openSigner(kept);
  expect(await signer.ask()).toBe('sent a certificate to its charger');
  expect(await signer.ask()).toBe('did not sign a certificate: the charger has too many; delete some');
  expect(kept).toHaveLength(100);
});

it.each([
  ['until the charger takes it', ['Rejected'], ['Rejected', 'Accepted']],
  ['three times', ['Rejected', 'Rejected', 'Rejected'], ['Rejected', 'Rejected', 'Rejected']],
])('161. sends a certificate that the charger rejects again after a minute: %s', async (_title, answers, statuses) => {
  const { ask, clock, logger } = openSigner([], answers);
  await ask();
  for (let sent = 1; sent < statuses.length; sent += 1) {
    await eventually(() => logger.lines.length === sent);
    clock.advance(60_000);
  }
  await eventually(() => logger.lines.length === statuses.length);
  clock.advance(60_000);
  await Promise.resolve();
  expect(logger.lines.map(({ fields }) => (fields as { readonly status?: string }).status)).toEqual(statuses);
});

it.each<[string, Partial<Charger['connection']>, readonly string[], string]>([
  ['to the gateway of its new connection', { gatewayId: 'other' }, ['g', 'other'], 'Accepted'],
  ['not to a charger that has disconnected', { active: false }, ['g'], 'not_connected'],
  ['not to a charger that speaks another version by then', { ocppVersion: 'ocpp1.6' }, ['g'], 'not_connected'],
])('161. sends a rejected certificate again %s', async (_title, connection, gateways, status) => {
  const signer = openSigner([], ['Rejected']);
  await signer.ask();
  signer.reconnect(connection);
  signer.clock.advance(60_000);
  await eventually(() => signer.logger.lines.length === 2);
  expect(signer.gateways).toEqual(gateways);
  expect(signer.logger.lines[1]?.fields).toMatchObject({ status, attempt: 2 });
});

type Signer = ReturnType<typeof openSigner>;

it.each<[string, (signer: Signer, yes: boolean) => void]>([
  ['its charger is disconnected', (signer, yes) => signer.reconnect({ active: !yes })],
  ['the store is down', (signer, yes) => signer.setDown(yes)],
])('161. counts no attempt while %s', async (_title, setDisconnected) => {
  const signer = openSigner([], ['Rejected', 'Rejected']);
  const attempts = () =>
    signer.logger.lines
      .filter(({ level }) => level === 'info')
      .map(({ fields }) => fields as { readonly status: string; readonly attempt: number })
      .map(({ status, attempt }) => [status, attempt]);
  setDisconnected(signer, true);
  await signer.ask();
  for (let sent = 1; sent < 6; sent += 1) {
    await eventually(() => attempts().length === sent);
    if (sent === 3) setDisconnected(signer, false);
    signer.clock.advance(60_000);
  }
  await eventually(() => attempts().length === 6);
  expect(attempts()).toEqual([
    ['not_connected', 1],
    ['not_connected', 1],
    ['not_connected', 1],
    ['Rejected', 1],
    ['Rejected', 2],
    ['Accepted', 3],
  ]);
});

it('161. gives up a charger that is disconnected for a quarter of an hour', async () => {
  const { ask, clock, logger, reconnect } = openSigner([]);
  reconnect({ active: false });
  await ask();
  for (let sent = 1; sent <= 15; sent += 1) {
    await eventually(() => logger.lines.length === sent);
    clock.advance(60_000);
  }
  await eventually(() => logger.lines.length === 16);
  reconnect({});
  clock.advance(60_000);
  await Promise.resolve();
  expect(logger.lines).toHaveLength(16);
});

it('162. still sends a rejected certificate again after one of another type', async () => {
  const { ask, clock, logger } = openSigner([], ['Rejected']);
  await ask();
  await ask('V2GCertificate');
  clock.advance(60_000);
  await eventually(() => logger.lines.length === 3);
  expect(logger.lines.map(({ fields }) => fields)).toMatchObject([
    { type: 'ChargingStationCertificate', status: 'Rejected', attempt: 1 },
    { type: 'V2GCertificate', status: 'Accepted', attempt: 1 },
    { type: 'ChargingStationCertificate', status: 'Accepted', attempt: 2 },
  ]);
});
