// Frames as a broken, a sloppy and a hostile charger would send them: good ones, and good ones that were damaged.
import type { Random } from '../faults/random';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const AT = '2026-01-01T00:00:00.000Z';

const TOKEN = { idToken: 'TAG', type: 'Central', additionalInfo: [] };
const EVENT = { eventType: 'Started', triggerReason: 'Authorized', timestamp: AT, seqNo: 0 };

const GOOD: Readonly<Record<string, Json>> = {
  BootNotification: { chargePointVendor: 'V', chargePointModel: 'M', firmwareVersion: '1' },
  Heartbeat: {},
  StatusNotification: { connectorId: 1, status: 'Available', errorCode: 'NoError', timestamp: AT },
  Authorize: { idTag: 'TAG' },
  StartTransaction: { connectorId: 1, idTag: 'TAG', meterStart: 0, timestamp: AT },
  StopTransaction: { transactionId: 1, meterStop: 5, timestamp: AT, reason: 'Local' },
  MeterValues: { connectorId: 1, transactionId: 1, meterValue: [{ timestamp: AT, sampledValue: [{ value: '1' }] }] },
  DataTransfer: { vendorId: 'V', messageId: 'M', data: 'x' },
  DiagnosticsStatusNotification: { status: 'Uploaded' },
  FirmwareStatusNotification: { status: 'Installed' },
  LogStatusNotification: { status: 'Uploaded', requestId: 1 },
  SecurityEventNotification: { type: 'T', timestamp: AT },
  SignCertificate: { csr: 'csr' },
  SignedFirmwareStatusNotification: { status: 'Installed', requestId: 1 },
  RemoteStartTransaction: { idTag: 'TAG' },
  TransactionEvent: { ...EVENT, transactionInfo: { transactionId: 'T' }, idToken: TOKEN, evse: { id: 1 } },
};

/** Of OCPP 2.x where it differs; the others are those of 1.6, and so of another version. */
const GOOD_2: Readonly<Record<string, Json>> = {
  ...GOOD,
  BootNotification: { reason: 'PowerUp', chargingStation: { vendorName: 'V', model: 'M', modem: { iccid: 'I' } } },
  StatusNotification: { timestamp: AT, connectorStatus: 'Available', evseId: 1, connectorId: 1, customData: null },
  Authorize: { idToken: TOKEN, customData: { vendorId: 'V', own: [1] } },
  MeterValues: { evseId: 1, meterValue: [{ timestamp: AT, sampledValue: [{ value: 1.5 }] }] },
  NotifyEvent: { generatedAt: AT, seqNo: 0, eventData: [{ component: { name: 'C' }, variable: { name: 'V' } }] },
  NotifyReport: { requestId: 1, generatedAt: AT, seqNo: 0 },
  SecurityEventNotification: { type: 'T', timestamp: AT },
  NotifyPeriodicEventStream: { id: 1, pending: 0, basetime: AT, data: [{ t: 0, v: '1' }] },
  VatNumberValidation: { vatNumber: 'V', evseId: 1 },
  GetCertificateChainStatus: { certificateStatusRequests: [] },
};

const ODD: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e300,
  '',
  'x'.repeat(300),
  '\u0000',
  '\ud800',
  '𝕏'.repeat(30),
  '__proto__',
  'constructor',
  '$where',
  'a.b',
  AT,
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:59.999999999999+23:59',
  [],
  {},
  [[]],
  [{}],
  { $gt: '' },
  { __proto__x: 1 },
];

/** One frame as text: about half of them well-formed in the version of that subprotocol. */
export function anyFrame(random: Random, subprotocol = 'ocpp1.6'): string {
  const frame = call(random, subprotocol === 'ocpp1.6' ? GOOD : GOOD_2);
  const damages = random.below(4);
  for (let i = 0; i < damages; i += 1) damage(random, frame, 0);
  const text = JSON.stringify(frame).replaceAll('__proto__x', '__proto__');
  // As it arrives: half a surrogate pair is another character by then.
  return random.chance(0.25) ? Buffer.from(scratch(random, text)).toString() : text;
}

function call(random: Random, good: Readonly<Record<string, Json>>): Json[] {
  const type = random.pick([2, 2, 2, 2, 2, 2, 3, 4, 5, 6]);
  const id = random.chance(0.3) ? random.pick(['1', '2', '3']) : `f-${String(random.below(1_000_000_000))}`;
  if (type === 3) return [3, id, {}];
  if (type === 4) return [4, id, 'InternalError', '', {}];
  if (type === 5) return [5, id, 'FormatViolation', '', {}];
  const action = random.pick(Object.keys(good));
  return [type, id, action, structuredClone(good[action] ?? {})];
}

/** Changes one thing somewhere in it. */
function damage(random: Random, value: Json, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  const keys = Object.keys(value);
  const holder = value as Record<string, Json>;
  const key = keys.length > 0 ? random.pick(keys) : 'own';
  const inner = holder[key];
  if (typeof inner === 'object' && depth < 6 && random.chance(0.7)) {
    damage(random, inner, depth + 1);
  } else if (Array.isArray(value) && random.chance(0.3)) {
    if (random.chance(0.5)) value.pop();
    else value.push(odd(random));
  } else if (!Array.isArray(value) && random.chance(0.3)) {
    holder[random.pick(['own', 'vendor', '', 'timestamp', 'x'.repeat(200), '$set', 'a.b'])] = odd(random);
  } else {
    holder[key] = odd(random);
  }
}

function odd(random: Random): Json {
  return structuredClone(random.pick(ODD));
}

/** Cuts, doubles or replaces some of the text. */
function scratch(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const end = Math.min(text.length, at + random.below(20));
  return random.pick([
    text.slice(0, at),
    text.slice(0, at) + text.slice(end),
    text.slice(0, end) + text.slice(at),
    `${text.slice(0, at)}${random.pick(['[', '}', '"', '\\', ',', '\u0000', '9', 'null', '\ufeff'])}${text.slice(end)}`,
    text + text,
    ` ${text}\n`,
  ]);
}
