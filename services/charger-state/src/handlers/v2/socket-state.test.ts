import { socketStateOf, type ConnectorSituation } from './socket-state';

const before = (chargingState?: string) => ({ chargingState, wasEnergized: false });
const after = (chargingState?: string) => ({ chargingState, wasEnergized: true });

it.each<[string, ConnectorSituation['status'], ConnectorSituation['transaction'], boolean, string | undefined]>([
  ['names Available', 'Available', undefined, false, 'Available'],
  ['names Reserved', 'Reserved', undefined, false, 'Reserved'],
  ['names Unavailable', 'Unavailable', undefined, false, 'Unavailable'],
  ['shows Faulted as Error', 'Faulted', undefined, false, 'Error'],
  ['shows a word that the standard lacks as Info', 'Sleeping', undefined, false, 'Info'],
  ['lets a status win over a transaction', 'Unavailable', after('Charging'), false, 'Unavailable'],
  ['lets Available win over a transaction', 'Available', after('Charging'), false, 'Available'],
  ['shows Charging', 'Occupied', after('Charging'), false, 'Charging'],
  ['shows SuspendedEV as SuspendedCAR', 'Occupied', after('SuspendedEV'), false, 'SuspendedCAR'],
  ['shows SuspendedEVSE as SuspendedCHARGER', 'Occupied', after('SuspendedEVSE'), false, 'SuspendedCHARGER'],
  ['prepares with a connected car', 'Occupied', before('EVConnected'), false, 'Preparing'],
  ['prepares while idle', 'Occupied', before('Idle'), false, 'Preparing'],
  ['prepares without a charging state', 'Occupied', before(), false, 'Preparing'],
  ['finishes with a connected car that was charged', 'Occupied', after('EVConnected'), false, 'Finishing'],
  ['finishes idle after charging', 'Occupied', after('Idle'), false, 'Finishing'],
  ['prepares when occupied without a transaction', 'Occupied', undefined, false, 'Preparing'],
  ['finishes when occupied after a transaction', 'Occupied', undefined, true, 'Finishing'],
  ['follows the transaction without a status', undefined, after('Charging'), false, 'Charging'],
  ['knows nothing without both', undefined, undefined, false, undefined],
])('136. %s', (...[, status, transaction, endedSince, expected]) => {
  expect(socketStateOf({ status, transaction, endedSince })).toBe(expected);
});
