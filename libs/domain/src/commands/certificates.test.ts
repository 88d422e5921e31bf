import { createFakeClock } from '@busbar/testing';
import { certificateIdOf, type InstalledCertificates } from '../device-state/certificates';
import { deviceStateOf } from '../device-state/device-state';
import { answeringCharger, commandTo } from '../testing/answering-charger';
import { newCharger } from '../testing/charger';
import { listCertificates, readInstalledCertificate } from './certificates';

const OWNER = { clientId: 'client', chargerId: 'ACME_1' };
const HASH = { hashAlgorithm: 'SHA256', issuerNameHash: 'aa', issuerKeyHash: 'bb', serialNumber: '1' };
const ROOT = { type: 'A', hashData: HASH, children: [] };
const STORED: InstalledCertificates = {
  certificates: [ROOT],
  listed: { '*': '2026-01-01T00:00:00.000Z' },
  commandId: '0',
  position: [1, 1],
};

type Command = Parameters<typeof listCertificates>[2][number];

const command = (status: string, ...certificates: readonly object[]): Command => {
  const encode = () => ({ action: 'GetInstalledCertificateIds', payload: {}, read: () => ({ status, certificates }) });
  return { ...commandTo(''), encode: Object.assign(encode, { operation: 'listCertificates', input: {} }) } as Command;
};

/** `stored`: what the store shows at each read, the last also later. */
function open(stored: readonly (InstalledCertificates | null)[]) {
  const clock = createFakeClock();
  const { calls, ...charger } = answeringCharger();
  let reads = 0;
  const deviceStates = {
    read(of: Parameters<typeof deviceStateOf>[0]) {
      const certificates = stored[Math.min(reads, stored.length - 1)] ?? null;
      reads += 1;
      return Promise.resolve({ ...deviceStateOf(of, undefined), certificates });
    },
  };
  return { clock, calls, reads: () => reads, deps: { ...charger, clock, deviceStates } };
}

async function pass(clock: ReturnType<typeof createFakeClock>, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(100);
  }
}

it('163. resolves with all that the charger listed when the last list is stored', async () => {
  const { clock, deps, calls, reads } = open([null, STORED, { ...STORED, commandId: 'Z' }]);
  const asked = listCertificates(deps, OWNER, [command('Accepted', ROOT), command('NotFound')]);
  await pass(clock, 5);
  expect(await asked).toMatchObject({ status: 'Accepted', certificates: [ROOT] });
  expect(calls.map(({ commandId }) => commandId)).toContain((await asked).commandId);
  expect([calls.length, reads()]).toEqual([2, 3]);
});

it('163. resolves with what the charger listed where storing takes too long', async () => {
  const { clock, deps, reads } = open([STORED]);
  const asked = listCertificates(deps, OWNER, [command('NotFound')]);
  await pass(clock, 40);
  expect(await asked).toMatchObject({ status: 'NotFound', certificates: [] });
  expect(reads()).toBe(30);
});

it('163. finds a listed certificate by its id, and no other', async () => {
  const { deps } = open([STORED]);
  const charger = newCharger();
  expect(await readInstalledCertificate(deps, charger, certificateIdOf(HASH))).toBe(ROOT);
  await expect(readInstalledCertificate(deps, charger, 'other')).rejects.toMatchObject({ code: 'not_found' });
  await expect(readInstalledCertificate(open([null]).deps, charger, 'x')).rejects.toMatchObject({ code: 'not_found' });
});
