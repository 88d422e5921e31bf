// Messages and responses of a charger are stored once, although the store fails at any write.
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

const HEARTBEAT = (): ChargerMessage => report('Heartbeat', {});

interface Context16 {
  readonly seq: number;
  readonly transactionId: number;
}

const UNKNOWN_TRANSACTION = 424_242;
const ACCEPTED = { status: 'Accepted' };
const profile16 = ([, b, c]: Draw, chargingProfilePurpose: string): Fields => ({
  chargingProfileId: 1 + (b % 3),
  stackLevel: c % 2,
  chargingProfilePurpose,
  chargingProfileKind: 'Absolute',
  chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
});

/** Of OCPP 1.6. Few sockets, tags and ids, so that messages refer to earlier ones. */
const MESSAGES_16: readonly ((draw: Draw, context: Context16) => ChargerMessage)[] = [
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
    const chargingProfile = a % 3 === 0 ? { chargingProfile: profile16(draw, 'TxProfile') } : {};
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
    outcome('SetChargingProfile', {
      connectorId: draw[0] % 3,
      csChargingProfiles: profile16(draw, 'TxDefaultProfile'),
    }),
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
function createScript16(): Script {
  const transactions: number[] = [];
  return {
    message(which, draw, seq) {
      const transactionId = transactions[draw[0] % Math.max(1, transactions.length)] ?? UNKNOWN_TRANSACTION;
      return (MESSAGES_16[which] ?? HEARTBEAT)(draw, { seq, transactionId });
    },
    applied({ report: { action }, answer }) {
      if (action === 'StartTransaction') transactions.push(Number(answer?.['transactionId']));
    },
  };
}

interface Transaction {
  readonly id: string;
  nextSeqNo: number;
  hasStarted: boolean;
}
interface Context2 {
  readonly seq: number;
  readonly transactions: Transaction[];
  /** Ids of remote starts that no transaction has named yet. */
  readonly remoteStarts: number[];
}

const token = (b: number, tag = 'T'): Fields => ({ idToken: `${tag}${String(b % 2)}`, type: 'Central' });
const evse = (a: number): Fields => ({ id: 1 + (a % 2), connectorId: 1 });
const status = (value: string): Fields => ({ status: value });
const profile2 = ([, b, c]: Draw, chargingProfilePurpose: string): Fields => ({
  id: 1 + (b % 3),
  stackLevel: c % 2,
  chargingProfilePurpose,
  chargingProfileKind: 'Absolute',
  chargingSchedule: [{ id: 1, chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] }],
});
const meterValue = (seq: number, value: number): Fields[] => [{ timestamp: at(seq), sampledValue: [{ value }] }];
const variable = (b: number): Fields => ({ component: { name: 'C' }, variable: { name: `V${String(b % 3)}` } });
const monitor = (a: number, b: number): Fields => ({ ...variable(b), type: 'Delta', severity: a });

function transactionOf(a: number, transactions: Transaction[]): Transaction {
  const known = transactions[a];
  if (known !== undefined) return known;
  const begun = { id: `T-${String(transactions.length)}`, nextSeqNo: 1, hasStarted: false };
  transactions.push(begun);
  return begun;
}

/** The event as the charger sends it once; with a token it is a decision (rule 128). */
function event(eventType: string, [a, b, c]: Draw, { seq, transactions }: Context2, more: Fields): ChargerMessage {
  const transaction = transactionOf(eventType === 'Started' ? transactions.length : a, transactions);
  const isStart = !transaction.hasStarted && eventType === 'Started';
  const seqNo = isStart ? 0 : transaction.nextSeqNo;
  if (isStart) transaction.hasStarted = true;
  else transaction.nextSeqNo += 1;
  const { transactionInfo, ...parts } = more;
  const payload = {
    eventType,
    seqNo,
    timestamp: at(seq - c),
    triggerReason: 'Authorized',
    transactionInfo: { transactionId: transaction.id, ...(transactionInfo as Fields) },
    ...(b % 3 === 0 ? { meterValue: meterValue(seq, 100 * seq) } : {}),
    ...(c % 2 === 0 ? { idToken: token(b) } : {}),
    ...parts,
  };
  return c % 2 === 0 ? decision('TransactionEvent', payload) : report('TransactionEvent', payload);
}

/** Of OCPP 2.x. */
const MESSAGES_2: readonly ((draw: Draw, context: Context2) => ChargerMessage)[] = [
  (draw, context) => {
    const [a, b] = draw;
    const reservation = a % 3 === 0 ? { reservationId: b % 3 } : {};
    // It may come before the response to the command.
    const remoteStartId = context.remoteStarts.pop() ?? context.seq + 1;
    const transactionInfo = b % 2 === 0 ? { remoteStartId } : {};
    return event('Started', draw, context, { evse: evse(a), transactionInfo, ...reservation });
  },
  (draw, context) => {
    const chargingState = ['Charging', 'EVConnected', 'SuspendedEV', 'Idle'][draw[1] % 4];
    return event('Updated', draw, context, { transactionInfo: { chargingState } });
  },
  (draw, context) =>
    event('Ended', draw, context, {
      transactionInfo: { stoppedReason: draw[1] % 2 === 0 ? 'Remote' : 'EVDisconnected' },
      ...(draw[1] % 2 === 0 ? { triggerReason: 'RemoteStop' } : {}),
    }),
  ([a, b, c], { seq }) => {
    const connectorStatus = ['Available', 'Occupied', 'Unavailable', 'Reserved', 'Faulted'][b % 5];
    return report('StatusNotification', {
      timestamp: at(seq - c),
      connectorStatus,
      evseId: 1 + (a % 2),
      connectorId: 1,
    });
  },
  ([a, b, c], { seq }) => {
    const component = { name: 'Connector', evse: evse(a) };
    const changed =
      b % 2 === 0
        ? { variable: { name: 'AvailabilityState' }, actualValue: ['Available', 'Occupied', 'Faulted'][c % 3] }
        : { variable: { name: 'Problem' }, actualValue: c % 2 === 0 ? 'true' : 'false', techCode: `E${String(c)}` };
    const eventData = [
      {
        eventId: seq,
        timestamp: at(seq - c),
        trigger: 'Delta',
        eventNotificationType: 'HardWiredNotification',
        component,
        ...changed,
      },
    ];
    return report('NotifyEvent', { generatedAt: at(seq), seqNo: 0, eventData });
  },
  ([a, b], { seq }) => report('MeterValues', { evseId: 1 + (a % 2), meterValue: meterValue(seq, b) }),
  ([, b]) => decision('Authorize', { idToken: token(b) }),
  ([a]) =>
    decision('BootNotification', { reason: 'PowerUp', chargingStation: { vendorName: `v${String(a)}`, model: 'm' } }),
  HEARTBEAT,
  ([a, b, c], { seq }) => {
    const variableAttribute = [{ value: String(c), mutability: a % 2 === 0 ? 'ReadWrite' : 'ReadOnly' }];
    const reportData = [{ ...variable(b), variableAttribute }];
    return report('NotifyReport', {
      requestId: a % 2,
      generatedAt: at(seq),
      seqNo: b % 2,
      tbc: b % 2 === 0,
      reportData,
    });
  },
  ([a, b, c]) =>
    outcome(
      'GetBaseReport',
      { requestId: a % 2, reportBase: b % 2 === 0 ? 'FullInventory' : 'ConfigurationInventory' },
      status(c % 3 === 0 ? 'EmptyResultSet' : 'Accepted'),
    ),
  ([a, b, c]) => {
    const set = { ...variable(a), attributeValue: String(b) };
    const attributeStatus = ['Accepted', 'RebootRequired', 'Rejected'][c % 3];
    return outcome(
      'SetVariables',
      { setVariableData: [set] },
      { setVariableResult: [{ ...variable(a), attributeStatus }] },
    );
  },
  ([a, b]) => {
    const result = { ...variable(a), attributeStatus: 'Accepted', attributeValue: String(b) };
    return outcome('GetVariables', { getVariableData: [variable(a)] }, { getVariableResult: [result] });
  },
  (draw, { seq, transactions, remoteStarts }) => {
    const [a, b, c] = draw;
    remoteStarts.push(seq);
    const request = {
      idToken: token(b),
      remoteStartId: seq,
      ...(c % 2 === 0 ? {} : { evseId: 1 + (a % 2) }),
      ...(a % 3 === 0 ? { chargingProfile: profile2(draw, 'TxProfile') } : {}),
    };
    const transactionId = transactions[a]?.id;
    const known = b % 3 === 0 && transactionId !== undefined ? { transactionId } : {};
    return outcome('RequestStartTransaction', request, { status: 'Accepted', ...known });
  },
  ([a], { transactions }) => outcome('RequestStopTransaction', { transactionId: transactions[a]?.id ?? 'UNKNOWN' }),
  ([a, b, c]) => {
    const place = a % 3 === 0 ? {} : { evse: evse(a) };
    const operationalStatus = b % 2 === 0 ? 'Inoperative' : 'Operative';
    return outcome(
      'ChangeAvailability',
      { operationalStatus, ...place },
      status(c % 2 === 0 ? 'Scheduled' : 'Accepted'),
    );
  },
  (draw) => outcome('SetChargingProfile', { evseId: draw[0] % 3, chargingProfile: profile2(draw, 'TxDefaultProfile') }),
  ([a, b, c]) => {
    const criteria = [
      { chargingProfileId: 1 + (b % 3) },
      { chargingProfileCriteria: { evseId: a % 3 } },
      { chargingProfileCriteria: { stackLevel: c % 2 } },
    ];
    return outcome('ClearChargingProfile', criteria[c % 3] ?? {});
  },
  ([a]) => outcome('GetChargingProfiles', { requestId: a % 2, chargingProfile: {} }),
  (draw) => {
    const [a, b, c] = draw;
    const chargingProfile = [profile2(draw, 'ChargingStationMaxProfile')];
    return report('ReportChargingProfiles', {
      requestId: a % 2,
      chargingLimitSource: 'CSO',
      evseId: b % 3,
      tbc: c % 2 === 0,
      chargingProfile,
    });
  },
  ([a, b]) =>
    report('NotifyChargingLimit', {
      evseId: 1 + (a % 2),
      chargingLimit: { chargingLimitSource: b % 2 === 0 ? 'EMS' : 'SO' },
    }),
  ([a, b]) => report('ClearedChargingLimit', { evseId: 1 + (a % 2), chargingLimitSource: b % 2 === 0 ? 'EMS' : 'SO' }),
  ([a, b], { seq }) =>
    outcome('ReserveNow', { id: b % 3, expiryDateTime: at(seq + 5_000), idToken: token(b), evseId: 1 + (a % 2) }),
  ([, b]) => outcome('CancelReservation', { reservationId: b % 3 }),
  ([a, b]) =>
    report('ReservationStatusUpdate', {
      reservationId: b % 3,
      reservationUpdateStatus: a % 2 === 0 ? 'Expired' : 'Removed',
    }),
  ([a, b, c], { seq }) => {
    const info = c % 2 === 0 && a % 2 === 0 ? {} : { idTokenInfo: { status: 'Accepted' } };
    const localAuthorizationList = [{ idToken: token(b, 'L'), ...info }];
    return outcome('SendLocalList', {
      versionNumber: seq,
      updateType: a % 2 === 0 ? 'Differential' : 'Full',
      localAuthorizationList,
    });
  },
  ([, , c]) => outcome('GetLocalListVersion', {}, { versionNumber: c }),
  ([a, b, c]) => {
    const setMonitoringResult = [{ ...monitor(a, b), id: 1 + (c % 3), status: 'Accepted' }];
    return outcome(
      'SetVariableMonitoring',
      { setMonitoringData: [{ ...monitor(a, b), value: c }] },
      { setMonitoringResult },
    );
  },
  ([, , c]) => {
    const id = 1 + (c % 3);
    return outcome('ClearVariableMonitoring', { id: [id] }, { clearMonitoringResult: [{ id, status: 'Accepted' }] });
  },
  ([, b, c]) => {
    const message = { id: b % 3, priority: 'InFront', message: { format: 'UTF8', content: String(c) } };
    return outcome('SetDisplayMessage', { message });
  },
  ([, b]) => outcome('ClearDisplayMessage', { id: b % 3 }),
  ([a, b]) =>
    report('FirmwareStatusNotification', { requestId: a % 2, status: b % 2 === 0 ? 'Downloaded' : 'Installed' }),
  ([, b], { seq }) => report('SecurityEventNotification', { type: `Type${String(b)}`, timestamp: at(seq) }),
  // Opened once: whether a message repeats one is judged by what is open, which a later one may have changed.
  ([, b], { seq }) =>
    decision('OpenPeriodicEventStream', { constantStreamData: { id: seq, variableMonitoringId: b % 2, params: {} } }),
  ([a], { seq }) => report('ClosePeriodicEventStream', { id: Math.max(0, seq - 1 - a) }),
];

/** A charger that chooses its transaction ids. */
function createScript2(): Script {
  const of = { transactions: [], remoteStarts: [] };
  return { message: (which, draw, seq) => (MESSAGES_2[which] ?? HEARTBEAT)(draw, { seq, ...of }) };
}

const VERSIONS = [
  { ocppVersion: 'ocpp1.6', kinds: MESSAGES_16.length, create: createScript16 },
  { ocppVersion: 'ocpp2.1', kinds: MESSAGES_2.length, create: createScript2 },
];

it.each(VERSIONS)(
  'stores the same state of $ocppVersion when the store fails at any write and messages are redelivered',
  (scripts) => expectSameState(world, scripts),
  TIMEOUT_MS,
);
