// A simulated charger of OCPP 2.x. Every message in both directions is validated against the schemas of its version.
import { eventually } from '@busbar/testing';
import { openCharger, quiet, type OpenedCharger } from '../testing/open-charger';
import type { Payload } from '../connection';
import { SUPPORTED_ACTIONS_2 } from './reply';

const TOKEN = { idToken: 'TAG', type: 'ISO14443' };

describe.each(['ocpp2.0.1', 'ocpp2.1'] as const)('a simulated charger of %s', (version) => {
  let opened: OpenedCharger;
  beforeEach(async () => {
    opened = await openCharger(version);
  });

  const events = () =>
    opened.take().flatMap(([action, payload]) => (action === 'TransactionEvent' ? [payload as unknown as Event] : []));
  const start = async (socketId = 1): Promise<void> => {
    await opened.charger.sessions.start({ socketId, idTag: 'TAG' });
    await quiet();
  };
  const stop = async (): Promise<void> => {
    for (const socket of opened.charger.state.sockets) opened.charger.sessions.stop(socket, 'EVDisconnected', 'TAG');
    await quiet();
  };

  it('boots with its station, and reports its connectors', async () => {
    await opened.charger.restart({ waitMs: 0 });
    await reconnected(opened);
    const [[action, payload] = [], ...rest] = opened.take();
    expect([action, payload]).toMatchObject(['BootNotification', { chargingStation: { vendorName: 'Busbar' } }]);
    expect(rest.map(([, each]) => each)).toMatchObject([
      { evseId: 1, connectorId: 1, connectorStatus: 'Available' },
      { evseId: 2, connectorId: 1, connectorStatus: 'Available' },
    ]);
  });

  it('has one transaction a session, with its energy, and an Occupied connector', async () => {
    await start();
    expect(opened.summary()).toEqual(['1 Occupied', 'Authorize', 'TransactionEvent', 'TransactionEvent']);
  });

  it('numbers the events of a transaction, with their triggers and states', async () => {
    await start();
    const [started, charging] = events();
    opened.clock.advance(10_000);
    await quiet();
    const [sampled] = events();
    await stop();
    const [ended] = events();
    const { transactionId } = started?.transactionInfo ?? {};
    expect([started, charging, sampled, ended]).toMatchObject([
      {
        eventType: 'Started',
        triggerReason: 'Authorized',
        seqNo: 0,
        transactionInfo: { chargingState: 'EVConnected' },
        idToken: TOKEN,
        evse: { id: 1, connectorId: 1 },
      },
      { eventType: 'Updated', triggerReason: 'ChargingStateChanged', seqNo: 1 },
      { eventType: 'Updated', triggerReason: 'MeterValuePeriodic', seqNo: 2 },
      { eventType: 'Ended', triggerReason: 'EVCommunicationLost', seqNo: 3, idToken: TOKEN },
    ]);
    expect(charging?.transactionInfo).toEqual({ transactionId, chargingState: 'Charging' });
    expect(ended?.transactionInfo).toEqual({ transactionId, chargingState: 'Idle', stoppedReason: 'EVDisconnected' });
    expect(energiesOf([started, sampled, ended])).toEqual([0, 31, 31]);
  });

  it('repeats an event with its number until it is answered, also on another connection', async () => {
    opened.lose('TransactionEvent');
    // Its answer comes after the next boot.
    const started = start();
    await quiet();
    opened.clock.advance(1_000);
    opened.endConnection({ code: 1006, reason: '' });
    await reconnected(opened);
    await started;
    const sent = events();
    expect(sent.map(({ eventType, seqNo }) => [eventType, seqNo])).toEqual([
      ['Started', 0],
      ['Started', 0],
      ['Updated', 1],
    ]);
    expect(sent[1]).toMatchObject({ offline: true, transactionInfo: sent[0]?.transactionInfo });
  });

  it('begins and ends a transaction for the service, with the id of the remote start', async () => {
    const request = { idToken: TOKEN, remoteStartId: 42, evseId: 2 };
    expect(await opened.command2('RequestStartTransaction', request)).toEqual({ status: 'Accepted' });
    const [started] = events();
    expect(started).toMatchObject({ triggerReason: 'RemoteStart', evse: { id: 2 } });
    expect(started?.transactionInfo).toMatchObject({ remoteStartId: 42 });
    expect(await opened.command2('RequestStartTransaction', request)).toEqual({ status: 'Rejected' });
    const transactionId = started?.transactionInfo.transactionId ?? '';
    const status = () => opened.command2('GetTransactionStatus', { transactionId });
    expect(await status()).toEqual({ ongoingIndicator: true, messagesInQueue: false });
    expect(await opened.command2('UnlockConnector', { evseId: 2, connectorId: 1 })).toEqual({
      status: 'OngoingAuthorizedTransaction',
    });
    expect(await opened.command2('RequestStopTransaction', { transactionId: 'other' })).toEqual({ status: 'Rejected' });
    expect(await opened.command2('RequestStopTransaction', { transactionId })).toEqual({ status: 'Accepted' });
    expect(events()).toMatchObject([{ triggerReason: 'RemoteStop', transactionInfo: { stoppedReason: 'Remote' } }]);
    expect(await status()).toEqual({ ongoingIndicator: false, messagesInQueue: false });
  });

  it.each([
    [{ type: 'Immediate' }, 'Accepted', 'RemoteReset'],
    [{ type: 'OnIdle' }, 'Accepted', 'RemoteReset'],
    [{ type: 'Immediate', evseId: 1 }, 'Rejected', undefined],
  ])('answers Reset %j with %s, and boots because of %s', async (request, status, reason) => {
    expect(await opened.command2('Reset', request)).toEqual({ status });
    if (reason === undefined) return;
    expect(await nextBoot(opened)).toMatchObject({ reason });
  });

  it('resets once its sessions have ended where it is OnIdle', async () => {
    await start();
    expect(await opened.command2('Reset', { type: 'OnIdle' })).toEqual({ status: 'Scheduled' });
    opened.clock.advance(5_000);
    await quiet();
    expect(opened.charger.isOnline()).toBe(true);
    await stop();
    opened.take();
    opened.clock.advance(1_000);
    expect(await nextBoot(opened)).toMatchObject({ reason: 'ScheduledReset' });
  });

  it.each<[string, string | undefined, object]>([
    ['OCPPCommCtrlr', 'HeartbeatInterval', { attributeStatus: 'Accepted', attributeValue: '300' }],
    ['ocppcommctrlr', 'heartbeatinterval', { attributeStatus: 'Accepted', attributeValue: '300' }],
    ['SecurityCtrlr', 'BasicAuthPassword', { attributeStatus: 'Rejected' }],
    ['Nothing', 'HeartbeatInterval', { attributeStatus: 'UnknownComponent' }],
    ['OCPPCommCtrlr', 'Nothing', { attributeStatus: 'UnknownVariable' }],
  ])('reads the variable %s.%s', async (component, variable = '', result) => {
    const asked = { component: { name: component }, variable: { name: variable } };
    const answer = await opened.command2('GetVariables', { getVariableData: [asked] });
    expect(answer).toEqual({ getVariableResult: [{ ...asked, ...result }] });
  });

  it.each([
    ['OCPPCommCtrlr', 'HeartbeatInterval', '60', 'Accepted'],
    ['OCPPCommCtrlr', 'HeartbeatInterval', 'often', 'Rejected'],
    ['OCPPCommCtrlr', 'WebSocketPingInterval', '60', 'RebootRequired'],
    ['TxCtrlr', 'TxStartPoint', 'Authorized', 'Rejected'],
    ['Nothing', 'Nothing', '1', 'UnknownComponent'],
  ])('sets %s.%s to %s: %s', async (component, variable, attributeValue, attributeStatus) => {
    const wanted = { component: { name: component }, variable: { name: variable }, attributeValue };
    const answer = await opened.command2('SetVariables', { setVariableData: [wanted] });
    expect(answer).toMatchObject({ setVariableResult: [{ attributeStatus }] });
  });

  it('connects again with a password that was set', async () => {
    const password = 'a long and secret password';
    const wanted = { component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' } };
    await opened.command2('SetVariables', { setVariableData: [{ ...wanted, attributeValue: password }] });
    await reconnected(opened);
    expect(opened.passwords.at(-1)).toBe(password);
  });

  it('reports its variables in parts', async () => {
    const request = { requestId: 9, reportBase: 'FullInventory' };
    expect(await opened.command2('GetBaseReport', request)).toEqual({ status: 'Accepted' });
    const parts = opened.take().map(([, payload]) => payload as { reportData: object[] } & Payload);
    expect(parts.map(({ requestId, seqNo, tbc }) => [requestId, seqNo, tbc])).toEqual([
      [9, 0, true],
      [9, 1, true],
      [9, 2, false],
    ]);
    expect(parts.flatMap(({ reportData }) => reportData)).toHaveLength(21);
    expect(await opened.command2('GetBaseReport', { ...request, reportBase: 'SummaryInventory' })).toEqual({
      status: 'NotSupported',
    });
  });

  it.each<[string, number | undefined, string[]]>([
    ['StatusNotification', undefined, ['1 Available', '2 Available']],
    ['StatusNotification', 2, ['2 Available']],
    ['Heartbeat', undefined, ['Heartbeat']],
    ['MeterValues', 1, ['MeterValues']],
    ['BootNotification', undefined, ['BootNotification', '1 Available', '2 Available']],
    ['FirmwareStatusNotification', undefined, ['FirmwareStatusNotification']],
    ['LogStatusNotification', undefined, ['LogStatusNotification']],
  ])('sends %s of EVSE %s by TriggerMessage', async (requestedMessage, id, sent) => {
    const evse = id === undefined ? {} : { evse: { id } };
    expect(await opened.command2('TriggerMessage', { requestedMessage, ...evse })).toEqual({ status: 'Accepted' });
    expect(opened.summary()).toEqual(sent);
  });

  it('sends an event of a transaction by TriggerMessage, and none without one', async () => {
    const trigger = () => opened.command2('TriggerMessage', { requestedMessage: 'TransactionEvent' });
    expect(await trigger()).toEqual({ status: 'Rejected' });
    await start();
    opened.take();
    expect(await trigger()).toEqual({ status: 'Accepted' });
    expect(events()).toMatchObject([{ triggerReason: 'Trigger', seqNo: 2 }]);
    expect(await opened.command2('TriggerMessage', { requestedMessage: 'Heartbeat', evse: { id: 3 } })).toEqual({
      status: 'Rejected',
    });
  });

  it.each([
    [{}, ['1 Unavailable', '2 Unavailable']],
    [{ evse: { id: 2 } }, ['2 Unavailable']],
  ])('becomes inoperative: %j', async (place, sent) => {
    const request = { operationalStatus: 'Inoperative', ...place };
    expect(await opened.command2('ChangeAvailability', request)).toEqual({ status: 'Accepted' });
    expect(opened.summary()).toEqual(sent);
  });

  it('follows the limit of a profile, and reports the state that it makes', async () => {
    await start();
    opened.take();
    const chargingProfile = {
      id: 1,
      stackLevel: 0,
      chargingProfilePurpose: 'TxDefaultProfile',
      chargingProfileKind: 'Relative',
      chargingSchedule: [{ id: 1, chargingRateUnit: 'W', chargingSchedulePeriod: [{ startPeriod: 0, limit: 0 }] }],
    };
    expect(await opened.command2('SetChargingProfile', { evseId: 1, chargingProfile })).toEqual({ status: 'Accepted' });
    expect(events()).toMatchObject([
      { triggerReason: 'ChargingStateChanged', transactionInfo: { chargingState: 'SuspendedEVSE' } },
    ]);
    expect(await opened.command2('ClearChargingProfile', { chargingProfileId: 1 })).toEqual({ status: 'Accepted' });
    expect(events()).toMatchObject([{ transactionInfo: { chargingState: 'Charging' } }]);
    const unknown = { ...chargingProfile, chargingProfilePurpose: 'ChargingStationExternalConstraints' };
    expect(await opened.command2('SetChargingProfile', { evseId: 1, chargingProfile: unknown })).toEqual({
      status: 'Rejected',
    });
  });

  it('keeps its local list and reservations', async () => {
    const localAuthorizationList = [{ idToken: TOKEN, idTokenInfo: { status: 'Blocked' } }];
    const list = { versionNumber: 3, updateType: 'Full', localAuthorizationList };
    expect(await opened.command2('SendLocalList', list)).toEqual({ status: 'Accepted' });
    expect(await opened.command2('GetLocalListVersion', {})).toEqual({ versionNumber: 3 });
    const expiryDateTime = new Date(opened.clock.now().getTime() + 60_000).toISOString();
    const reservation = { id: 5, evseId: 1, expiryDateTime, idToken: TOKEN };
    expect(await opened.command2('ReserveNow', reservation)).toEqual({ status: 'Accepted' });
    expect(opened.summary()).toEqual(['1 Reserved']);
    expect(await opened.command2('CancelReservation', { reservationId: 5 })).toEqual({ status: 'Accepted' });
    expect(opened.summary()).toEqual(['1 Available']);
  });

  it('reports the progress of a log and of a firmware with the id of the request', async () => {
    const log = { remoteLocation: 'https://files.example/' };
    await opened.command2('GetLog', { log, logType: 'DiagnosticsLog', requestId: 6 });
    const firmware = { location: 'https://files.example/2.0.0', retrieveDateTime: opened.clock.now().toISOString() };
    expect(await opened.command2('UpdateFirmware', { requestId: 7, firmware })).toEqual({ status: 'Accepted' });
    opened.clock.advance(1);
    await quiet();
    expect(opened.take()).toEqual([
      ['LogStatusNotification', { status: 'Uploading', requestId: 6 }],
      ['FirmwareStatusNotification', { status: 'Downloading', requestId: 7 }],
    ]);
  });

  it('answers what it does not support with NotSupported', async () => {
    expect(await opened.command2('ClearCache', {})).toEqual({ status: 'Accepted' });
    expect(await opened.command2('DataTransfer', { vendorId: 'V' })).toEqual({ status: 'UnknownVendorId' });
    expect(await opened.command2('UnpublishFirmware', { checksum: '0' })).toBe('NotSupported');
    expect(SUPPORTED_ACTIONS_2).toHaveLength(42);
  });
});

interface Event {
  readonly eventType: string;
  readonly seqNo: number;
  readonly transactionInfo: { readonly transactionId: string };
  readonly meterValue?: readonly { readonly sampledValue: readonly { readonly value: number }[] }[];
}

function energiesOf(sent: readonly (Event | undefined)[]): unknown[] {
  return sent.map((event) => event?.meterValue?.[0]?.sampledValue[0]?.value);
}

async function reconnected({ charger }: OpenedCharger): Promise<void> {
  await eventually(() => charger.isOnline());
  await quiet();
}

function nextBoot({ take }: OpenedCharger): Promise<Payload> {
  return eventually(() => take().find(([action]) => action === 'BootNotification')?.[1]);
}
