import type { ReportEnvelope } from '@busbar/contracts';
import type { Charger, ChargerCertificate } from '@busbar/domain/chargers';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import type { Applied } from '../../../pipeline/contract';
import { createSigner } from './signer';

const TIMESTAMP = '2026-01-01T00:00:00.000Z';

function certificate(incarnationId: string, serialNumber: string): ChargerCertificate {
  return { serialNumber, chargerId: 'A', incarnationId, issuedAt: TIMESTAMP, notAfter: TIMESTAMP };
}

/** A signer with these stored certificates, and the serial numbers that its charger was sent. */
function openSigner(kept: ChargerCertificate[]) {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const signer = createSigner({
    clock,
    logger,
    commandTimeoutMs: 1_000,
    authority: {
      check: () => Promise.resolve(),
      sign: () => Promise.resolve({ chain: 'chain', certificate: certificate('now', `new ${String(kept.length)}`) }),
    },
    records: {
      certificates: {
        list: () => Promise.resolve(kept),
        insert: (each) => Promise.resolve(void kept.push(each)),
      },
    },
    link: { call: () => Promise.resolve({ outcome: 'answered', payload: { status: 'Accepted' }, deviations: [] }) },
  });
  const charger = { chargerId: 'A', incarnationId: 'now', connection: { gatewayId: 'g' } } as unknown as Charger;
  const report = { action: 'SignCertificate', payload: { csr: 'csr' } } as unknown as ReportEnvelope;
  const applied: Applied = { report, charger, answer: { status: 'Accepted' }, isNew: true };
  return {
    /** The log line about the result of a request. */
    async ask(): Promise<string> {
      const before = logger.lines.length;
      signer.follow([applied]);
      clock.advance(1_000);
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

it('signs at most 100 for one registration', async () => {
  const kept = Array.from({ length: 99 }, (_, n) => certificate('now', String(n)));
  const signer = openSigner(kept);
  expect(await signer.ask()).toBe('sent a certificate to its charger');
  expect(await signer.ask()).toBe('did not sign a certificate: the charger has too many; delete some');
  expect(kept).toHaveLength(100);
});
