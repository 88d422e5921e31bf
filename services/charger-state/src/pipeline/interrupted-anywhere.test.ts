// Messages and responses of a charger of OCPP 1.6 are stored once, although the store fails at any write.
import { openWorld, type ChargerStateWorld } from '../testing/open-world';
import {
  at,
  decision,
  expectSameState,
  outcome,
  report,
  TIMEOUT_MS,
  type ChargerMessage,
  type Draw,
  type Fields,
  type Script,
} from '../testing/interrupted-play';

let world: ChargerStateWorld;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

interface Context {
  readonly seq: number;
  readonly transactionId: number;
}

const UNKNOWN_TRANSACTION = 424_242;
const ACCEPTED = { status: 'Accepted' };
const profile = ([, b, c]: Draw, chargingProfilePurpose: string): Fields => ({
  chargingProfileId: 1 + (b % 3),
  stackLevel: c % 2,
  chargingProfilePurpose,
  chargingProfileKind: 'Absolute',
  chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
});

const HEARTBEAT = (): ChargerMessage => report('Heartbeat', {});

/** Few sockets, tags and ids, so that messages refer to earlier ones. */
const MESSAGES: readonly ((draw: Draw, context: Context) => ChargerMessage)[] = [
  ([a, b, c], { seq }) =>
    decision('StartTransaction', {
      connectorId: 1 + (a % 2),
      idTag: `T${String(b % 2)}`,
      meterStart: 0,
      timestamp: at(seq - 1),
      ...(c % 3 === 0 ? { reservationId: b % 3 } : {}),
    }),
  ([, b, c], { seq, transactionId }) =>
    decision('StopTransaction', {
      transactionId,
      meterStop: 5 + b,
      timestamp: at(seq - 1),
      ...(c % 2 === 0 ? {} : { reason: 'Remote' }),
    }),
  ([a, b], { seq, transactionId }) => {
    const meterValue = [{ timestamp: at(seq), sampledValue: [{ value: String(b) }] }];
    return report('MeterValues', { connectorId: 1 + (a % 2), transactionId, meterValue });
  },
  ([a, b, c], { seq }) => {
    const status = ['Available', 'Charging', 'Unavailable', 'Finishing', 'Preparing'][b % 5];
    const timed = c % 2 === 0 ? {} : { timestamp: at(seq - c) };
    return report('StatusNotification', { connectorId: a % 3, errorCode: 'NoError', status, ...timed });
  },
  (draw) => {
    const [a, b, c] = draw;
    const place = c % 2 === 0 ? {} : { connectorId: 1 + (a % 2) };
    const chargingProfile = a % 3 === 0 ? { chargingProfile: profile(draw, 'TxProfile') } : {};
    return outcome('RemoteStartTransaction', { idTag: `T${String(b % 2)}`, ...place, ...chargingProfile });
  },
  (_draw, { transactionId }) => outcome('RemoteStopTransaction', { transactionId }),
  ([a, b, c]) => {
    const request = { connectorId: a % 3, type: b % 2 === 0 ? 'Inoperative' : 'Operative' };
    return outcome('ChangeAvailability', request, { status: c % 2 === 0 ? 'Scheduled' : 'Accepted' });
  },
  ([a, b]) => outcome('ChangeConfiguration', { key: `K${String(a % 3)}`, value: String(b) }),
  ([a, b, c]) => {
    const configurationKey = [{ key: `K${String(b % 3)}`, readonly: false, value: String(c) }];
    const answer = { configurationKey, unknownKey: [`K${String(c % 3)}`] };
    return outcome('GetConfiguration', a % 2 === 0 ? { key: ['K1'] } : {}, answer);
  },
  (draw) =>
    outcome('SetChargingProfile', { connectorId: draw[0] % 3, csChargingProfiles: profile(draw, 'TxDefaultProfile') }),
  ([a, b, c]) =>
    outcome(
      'ClearChargingProfile',
      [{ id: 1 + (b % 3) }, { connectorId: a % 3 }, {}, { stackLevel: c % 2 }][c % 4] ?? {},
    ),
  ([a, b], { seq }) => {
    const place = { reservationId: b % 3, connectorId: 1 + (a % 2) };
    return outcome('ReserveNow', { ...place, idTag: `T${String(b % 2)}`, expiryDate: at(seq + 5_000) });
  },
  ([, b]) => outcome('CancelReservation', { reservationId: b % 3 }),
  ([a, b, c], { seq }) => {
    const info = c % 2 === 0 && a % 2 === 0 ? {} : { idTagInfo: ACCEPTED };
    const localAuthorizationList = [{ idTag: `L${String(b % 3)}`, ...info }];
    const updateType = a % 2 === 0 ? 'Differential' : 'Full';
    return outcome('SendLocalList', { listVersion: seq, updateType, localAuthorizationList });
  },
  ([, , c]) => outcome('GetLocalListVersion', {}, { listVersion: c }),
  ([a]) => decision('BootNotification', { chargePointVendor: `v${String(a)}`, chargePointModel: 'm' }),
  HEARTBEAT,
];

/** A charger that was given its transaction ids. */
function createScript(): Script {
  const transactions: number[] = [];
  return {
    message(which, draw, seq) {
      const transactionId = transactions[draw[0] % Math.max(1, transactions.length)] ?? UNKNOWN_TRANSACTION;
      return (MESSAGES[which] ?? HEARTBEAT)(draw, { seq, transactionId });
    },
    applied({ report: { action }, answer }) {
      if (action === 'StartTransaction') transactions.push(Number(answer?.['transactionId']));
    },
  };
}

it(
  'stores the same state when the store fails at any write and messages are redelivered',
  () => expectSameState(world, { ocppVersion: 'ocpp1.6', kinds: MESSAGES.length, create: createScript }),
  TIMEOUT_MS,
);
