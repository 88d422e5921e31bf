import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import type { ChargerCertificate } from '@busbar/domain/chargers';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { createRecords } from '../create-records';
import { createRetentionStore } from './retention-store';

const directory = mkdtempSync(join(tmpdir(), 'busbar-certificates-'));
const store = createSqliteStore({ directory, logger: createRecordingLogger(), clock: systemClock });
const { certificates } = createRecords(store);
const retention = createRetentionStore(store);

beforeAll(() => store.start());
afterAll(async () => {
  await store.stop();
  rmSync(directory, { recursive: true });
});

const signed = (serialNumber: string, year: number, chargerId = 'A'): ChargerCertificate => ({
  serialNumber,
  chargerId,
  incarnationId: `i${String(year)}`,
  issuedAt: `${String(year)}-01-01T00:00:00.000Z`,
  notAfter: `${String(year + 1)}-01-01T00:00:00.000Z`,
});

it('stores the serial number of a certificate until the certificate expires, and lists the newest first', async () => {
  const [first, second, other] = [signed('a1', 2025), signed('b2', 2026), signed('c3', 2026, 'B')];
  for (const certificate of [first, second, second, other]) await certificates.insert(certificate);
  expect(await certificates.list('A')).toEqual([second, first]);
  const old = '2000-01-01T00:00:00.000Z';
  const before = {
    log: old,
    history: old,
    sessions: old,
    keys: old,
    claims: old,
    attempts: old,
    commands: old,
    gateways: old,
    deliveries: old,
    deadDeliveries: old,
  };
  await retention.prune({ ...before, answers: '2026-06-01T00:00:00.000Z' }, 100);
  expect(await certificates.list('A')).toEqual([second]);
  expect(await certificates.list('B')).toEqual([other]);
});
