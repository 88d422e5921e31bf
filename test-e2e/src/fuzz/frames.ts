// Frames as a broken, a sloppy and a hostile charger would send them: good ones, and good ones that were damaged.
import { protocolOf } from '@busbar/ocpp';
import { completePayload, minimalPayload } from '@busbar/testing';
import type { Random } from '../faults/random';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const AT = '2026-01-01T00:00:00.000Z';

export interface GoodCall {
  /** Of the frame: a CALL, or a SEND. */
  readonly type: 2 | 6;
  readonly action: string;
  readonly payload: Json;
}

const TOKEN = { idToken: 'TAG', type: 'Central' };
const EVENT = { eventType: 'Started', triggerReason: 'Authorized', timestamp: AT, seqNo: 0 };
const AVAILABILITY = { component: { name: 'Connector', evse: { id: 1 } }, variable: { name: 'AvailabilityState' } };

/** What handlers make more of than of the smallest values, by the name of the version. */
const MEANINGFUL: Readonly<Record<string, readonly (readonly [action: string, payload: Json])[]>> = {
  'ocpp1.6': [
    ['BootNotification', { chargePointVendor: 'V', chargePointModel: 'M', firmwareVersion: '1' }],
    ['StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError', timestamp: AT }],
    ['StartTransaction', { connectorId: 1, idTag: 'TAG', meterStart: 0, timestamp: AT }],
    ['StopTransaction', { transactionId: 1, meterStop: 5, timestamp: AT, reason: 'Local' }],
    [
      'MeterValues',
      { connectorId: 1, transactionId: 1, meterValue: [{ timestamp: AT, sampledValue: [{ value: '1' }] }] },
    ],
    ['RemoteStartTransaction', { idTag: 'TAG' }],
  ],
  'ocpp2.0.1': [
    [
      'BootNotification',
      { reason: 'PowerUp', chargingStation: { vendorName: 'V', model: 'M', modem: { iccid: 'I' } } },
    ],
    ['StatusNotification', { timestamp: AT, connectorStatus: 'Available', evseId: 1, connectorId: 1 }],
    ['Authorize', { idToken: TOKEN, customData: { vendorId: 'V', own: [1] } }],
    ['TransactionEvent', { ...EVENT, transactionInfo: { transactionId: 'T' }, idToken: TOKEN, evse: { id: 1 } }],
    ['MeterValues', { evseId: 1, meterValue: [{ timestamp: AT, sampledValue: [{ value: 1.5 }] }] }],
    [
      'NotifyEvent',
      {
        generatedAt: AT,
        seqNo: 0,
        eventData: [
          {
            eventId: 1,
            timestamp: AT,
            trigger: 'Delta',
            actualValue: 'Occupied',
            eventNotificationType: 'HardWiredNotification',
            ...AVAILABILITY,
          },
        ],
      },
    ],
    ['RequestStartTransaction', { idToken: TOKEN, remoteStartId: 1 }],
  ],
};

const goodCallsOf = new Map<string, readonly GoodCall[]>();

/**
 * The messages of a charger in this version, which all fit their schemas: each action with its required fields, with all its
 * fields, and some with values that mean something. 2.1 has those of 2.0.1. One is an action that only the service sends.
 */
export function goodCalls(subprotocol: string): readonly GoodCall[] {
  const known = goodCallsOf.get(subprotocol);
  if (known !== undefined) return known;
  const protocol = protocolOf(subprotocol);
  if (protocol === undefined) throw new Error(`there is no ${subprotocol}`);
  const made = [...protocol.actions.values()].flatMap(({ name, from, kind }): GoodCall[] => {
    const schema = protocol.schemas.get(name)?.request.schema;
    if (from === 'us' || schema === undefined) return [];
    const type = kind === 'send' ? 6 : 2;
    return [minimalPayload(schema), completePayload(schema)].map((payload) => ({
      type,
      action: name,
      payload: payload as Json,
    }));
  });
  const meaningful = MEANINGFUL[subprotocol] ?? MEANINGFUL['ocpp2.0.1'] ?? [];
  const all = [...made, ...meaningful.map(([action, payload]) => ({ type: 2 as const, action, payload }))];
  goodCallsOf.set(subprotocol, all);
  return all;
}

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
export function anyFrame(random: Random, subprotocol: string): string {
  const frame = call(random, goodCalls(subprotocol));
  const damages = random.below(4);
  for (let i = 0; i < damages; i += 1) damage(random, frame, 0);
  const text = JSON.stringify(frame).replaceAll('__proto__x', '__proto__');
  // As it arrives: half a surrogate pair is another character by then.
  return random.chance(0.25) ? Buffer.from(scratch(random, text)).toString() : text;
}

function call(random: Random, good: readonly GoodCall[]): Json[] {
  const type = random.pick([2, 2, 2, 2, 2, 2, 3, 4, 5, 6]);
  const id = random.chance(0.3) ? random.pick(['1', '2', '3']) : `f-${String(random.below(1_000_000_000))}`;
  if (type === 3) return [3, id, {}];
  if (type === 4) return [4, id, 'InternalError', '', {}];
  if (type === 5) return [5, id, 'FormatViolation', '', {}];
  const { type: usual, action, payload } = random.pick(good);
  return [type === 2 ? usual : type, id, action, structuredClone(payload)];
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
