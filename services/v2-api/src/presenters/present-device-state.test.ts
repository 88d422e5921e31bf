import { newCharger } from '@busbar/domain/testing';
import { presentDiagnostics } from './present-device-state';

const progress = (status: string) => ({
  status,
  requestId: 1,
  at: '2026-01-01T00:00:00.000Z',
  position: [1, 1] as const,
});

it.each([
  ['ocpp1.6', 'Uploading'],
  ['ocpp2.0.1', 'Uploaded'],
  ['ocpp2.1', 'Uploaded'],
])('129. shows as diagnostics of a charger of %s what it uploads for getDiagnostics: %s', (ocppVersion, status) => {
  const charger = newCharger({ reported: { diagnostics: progress('Uploading'), log: progress('Uploaded') } });
  const connected = { ...charger, connection: { ...charger.connection, ocppVersion } };
  const { diagnostics, log } = presentDiagnostics(connected, []);
  expect([diagnostics.status, log.status]).toEqual([status, 'Uploaded']);
});
