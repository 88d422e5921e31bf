// The certification cases of transactions (block E) and of remote control (F); certification.slow.test.ts says what they are.
import { eventually, type ScriptedCharger } from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';
import { newTag, openStation, type Json, type Station } from './testing/open-station';

let world: AllInOneWorld;
beforeAll(async () => {
  world = await openAllInOne();
});
afterAll(() => world.close());

const station = (): Promise<Station> => openStation(world);
const tag = (fields: object = {}): Promise<string> => newTag(world, fields);

const evse = { id: 1, connectorId: 1 };

/** An event of a transaction: trigger, charging state, and what else it has. */
type Step = readonly [trigger: string, chargingState: string, more?: { readonly isAuthorizing?: true }];
const TOKEN = { isAuthorizing: true } as const;

/** Sends the events from the first one. Resolves with the last answer. */
async function begin(charger: ScriptedCharger, transactionId: string, steps: readonly Step[], idToken: string) {
  let answer: Json = {};
  for (const [seqNo, [triggerReason, chargingState, { isAuthorizing } = {}]] of steps.entries()) {
    const eventType = seqNo === 0 ? 'Started' : 'Updated';
    const event = { transactionId, evse, eventType, seqNo, triggerReason, transactionInfo: { chargingState } } as const;
    answer = await charger.v2.transaction({ ...event, ...(isAuthorizing && { idToken }) });
    expect(answer).toEqual(isAuthorizing ? { idTokenInfo: { status: 'Accepted' } } : {});
  }
  return answer;
}

/** A transaction that charges with a token, from 100 Wh. */
async function charging() {
  const one = await station();
  const transactionId = `E-${one.id}`;
  const started = { transactionId, evse, eventType: 'Started', seqNo: 0, idToken: await tag(), energyWh: 100 } as const;
  await one.charger.v2.transaction({ ...started, transactionInfo: { chargingState: 'Charging' } });
  return { one, event: { transactionId, evse } };
}

describe('E. Transactions', () => {
  const plugged: Step = ['CablePluggedIn', 'EVConnected'];
  const energy: Step = ['ChargingStateChanged', 'Charging'];

  it.each<[string, readonly Step[]]>([
    ['TC_E_01. begins when the power path closes', [['Authorized', 'EVConnected', TOKEN], energy]],
    ['TC_E_02. begins with the energy', [['ChargingStateChanged', 'Charging', TOKEN]]],
    ['TC_E_03. has the cable first', [plugged, ['Authorized', 'EVConnected', TOKEN], energy]],
    ['TC_E_04. has the token first', [['Authorized', 'Idle', TOKEN], plugged, energy]],
    ['TC_E_09. begins with the vehicle', [['CablePluggedIn', 'EVConnected', TOKEN], energy]],
    ['TC_E_10. begins with the token', [['Authorized', 'Idle', TOKEN]]],
    ['TC_E_11. begins with signed data', [['SignedDataReceived', 'EVConnected', TOKEN], energy]],
    ['TC_E_12. begins in the bay', [['EVDetected', 'Idle'], plugged, ['Authorized', 'EVConnected', TOKEN], energy]],
    [
      'TC_E_38. waits for the vehicle',
      [['Authorized', 'Idle', TOKEN], plugged, ['ChargingStateChanged', 'SuspendedEV']],
    ],
  ])('%s', async (_title, steps) => {
    const one = await station();
    const idToken = await tag();
    const transactionId = `E-${one.id}`;
    await begin(one.charger, transactionId, steps, idToken);
    const state = steps.at(-1)?.[1];
    const session = await one.session(({ chargingState }) => chargingState === state);
    expect(session).toMatchObject({
      deviceTransactionId: transactionId,
      rfidTag: idToken,
      state: 'ongoing',
      evseId: 1,
      missingEvents: [],
    });
  });

  it.each<[string, trigger: string, chargingState: string, stoppedReason: string]>([
    ['TC_E_07. ends when the power path opens', 'StopAuthorized', 'EVConnected', 'Local'],
    ['TC_E_08. ends with the energy', 'ChargingStateChanged', 'EVConnected', 'Local'],
    ['TC_E_14. ends by the cable at the station', 'EVCommunicationLost', 'Idle', 'Local'],
    ['TC_E_15. ends by the token', 'StopAuthorized', 'EVConnected', 'Local'],
    ['TC_E_17. is deauthorized by the cable at the vehicle', 'EVCommunicationLost', 'Idle', 'EVDisconnected'],
    ['TC_E_19. ends when the bay is left', 'EVDeparted', 'Idle', 'EVDisconnected'],
    ['TC_E_20. ends by the cable at the vehicle', 'EVCommunicationLost', 'Idle', 'EVDisconnected'],
    ['TC_E_22. ends by the vehicle', 'ChargingStateChanged', 'SuspendedEV', 'StoppedByEV'],
    ['TC_E_39. ends without a vehicle', 'EVConnectTimeout', 'Idle', 'Timeout'],
  ])('%s', async (_title, triggerReason, chargingState, stoppedReason) => {
    const { one, event } = await charging();
    const ended = { ...event, eventType: 'Ended', seqNo: 1, triggerReason, energyWh: 900 } as const;
    const transactionInfo = { chargingState, stoppedReason };
    expect(await one.charger.v2.transaction({ ...ended, transactionInfo })).toEqual({});
    const session = await one.session(({ state }) => state === 'ended');
    expect(session).toMatchObject({ stopReason: stoppedReason, consumptionWh: 800 });
  });

  it('TC_E_16. is deauthorized because of its tag', async () => {
    const one = await station();
    const idToken = await tag({ blocked: true });
    const event = { transactionId: `E-${one.id}`, evse };
    const started = await one.charger.v2.transaction({ ...event, eventType: 'Started', seqNo: 0, idToken });
    expect(started).toEqual({ idTokenInfo: { status: 'Blocked' } });
    const transactionInfo = { stoppedReason: 'DeAuthorized' };
    const ended = { ...event, eventType: 'Ended', seqNo: 1, triggerReason: 'Deauthorized', transactionInfo } as const;
    expect(await one.charger.v2.transaction(ended)).toEqual({});
    const session = await one.session(({ endTime }) => endTime !== null);
    expect(session).toMatchObject({ state: 'refused', stopReason: 'DeAuthorized' });
  });

  it('TC_E_21. ends by a remote stop', async () => {
    const { one, event } = await charging();
    const { transactionId } = await one.session(({ state }) => state === 'ongoing');
    one.charger.answer('RequestStopTransaction', () => ({ status: 'Accepted' }));
    const stop = await one.post('stop-transaction', { transactionId });
    expect(stop).toMatchObject({ status: 200, body: { status: 'Accepted' } });
    expect(one.sent('RequestStopTransaction')).toEqual({ transactionId: event.transactionId });
    const transactionInfo = { chargingState: 'EVConnected', stoppedReason: 'Remote' };
    const ended = { ...event, eventType: 'Ended', seqNo: 1, triggerReason: 'RemoteStop', transactionInfo } as const;
    expect(await one.charger.v2.transaction(ended)).toEqual({});
    const session = await one.session(({ state }) => state === 'ended');
    expect(session).toMatchObject({ stopReason: 'Remote', stopCommandId: stop.body['commandId'] });
  });

  it('TC_E_26. continues while the cable is disconnected at the vehicle', async () => {
    const { one, event } = await charging();
    const disconnected = { ...event, eventType: 'Updated', seqNo: 1, triggerReason: 'EVCommunicationLost' } as const;
    await one.charger.v2.transaction({ ...disconnected, transactionInfo: { chargingState: 'Idle' } });
    expect(await one.session(({ chargingState }) => chargingState === 'Idle')).toMatchObject({ state: 'ongoing' });
    const back = { ...event, eventType: 'Updated', seqNo: 2, triggerReason: 'CablePluggedIn' } as const;
    await one.charger.v2.transaction({ ...back, transactionInfo: { chargingState: 'Charging' } });
    await one.session(({ chargingState, state }) => chargingState === 'Charging' && state === 'ongoing');
  });

  it.each([
    ['TC_E_29. asks about a transaction that continues, with messages in the queue', true, true],
    ['TC_E_30. asks about one that continues, without', true, false],
    ['TC_E_31. asks about one that has ended, with messages in the queue', false, true],
    ['asks about one that has ended, without', false, false],
  ])('%s', async (_title, ongoingIndicator, messagesInQueue) => {
    const one = await station();
    const transactionId = `E-${one.id}`;
    await one.charger.v2.transaction({ transactionId, evse, eventType: 'Started', seqNo: 0, idToken: await tag() });
    const session = await one.session((each) => each['deviceTransactionId'] === transactionId);
    one.charger.answer('GetTransactionStatus', () => ({ ongoingIndicator, messagesInQueue }));
    const asked = await one.post('transaction-status', { transactionId: session['transactionId'] });
    expect(asked).toMatchObject({ status: 200, body: { ongoing: ongoingIndicator, messagesInQueue } });
    expect(one.sent('GetTransactionStatus')).toEqual({ transactionId });
    const isLost = !ongoingIndicator && !messagesInQueue;
    await one.session(({ state }) => state === (isLost ? 'superseded' : 'ongoing'));
  });

  it.each([
    ['TC_E_33. asks about messages of any transaction: some wait', true],
    ['TC_E_34. asks about messages of any transaction: none waits', false],
  ])('%s', async (_title, messagesInQueue) => {
    const one = await station();
    one.charger.answer('GetTransactionStatus', () => ({ messagesInQueue }));
    expect(await one.post('transaction-status')).toMatchObject({ body: { ongoing: null, messagesInQueue } });
    expect(one.sent('GetTransactionStatus')).toEqual({});
  });

  it('TC_E_53. takes numbers that begin at 0', async () => {
    const one = await station();
    const event = { transactionId: `E-${one.id}`, evse };
    await one.charger.v2.transaction({ ...event, eventType: 'Started', seqNo: 0, idToken: await tag() });
    await one.charger.v2.transaction({ ...event, eventType: 'Ended', seqNo: 1 });
    expect(await one.session(({ state }) => state === 'ended')).toMatchObject({ missingEvents: [] });
  });
});

describe('F. Remote control', () => {
  it.each([
    ['starts remotely at an occupied connector, before a transaction', { isPlugged: true }],
    ['TC_F_02. starts remotely before the cable, and the charger asks about the tag', { asks: true }],
    ['TC_F_03. starts remotely before the cable', {}],
  ])(
    '%s',
    async (_title, { isPlugged = false, asks = false }: { readonly isPlugged?: boolean; readonly asks?: boolean }) => {
      const one = await station();
      const rfidTag = await tag();
      if (isPlugged) await one.charger.v2.status(1, 1, 'Occupied');
      one.charger.answer('RequestStartTransaction', () => ({ status: 'Accepted' }));
      expect(await one.post('start-charging', { socketId: 1, rfidTag })).toMatchObject({
        body: { status: 'Accepted' },
      });
      const { remoteStartId } = one.sent('RequestStartTransaction') as { readonly remoteStartId: number };
      if (asks) expect(await one.charger.v2.authorize(rfidTag)).toEqual({ idTokenInfo: { status: 'Accepted' } });
      const event = { transactionId: `F-${one.id}`, evse, triggerReason: 'RemoteStart' };
      const info = { transactionInfo: { remoteStartId }, idToken: rfidTag };
      await one.charger.v2.transaction({ ...event, ...info, eventType: 'Started', seqNo: 0 });
      expect(await one.session(({ state }) => state === 'ongoing')).toMatchObject({ rfidTag, startedBy: 'remote' });
    },
  );

  it('TC_F_01. starts remotely where the cable came first, with a transaction', async () => {
    const one = await station();
    const rfidTag = await tag();
    const event = { transactionId: `F-${one.id}`, evse };
    const transactionInfo = { chargingState: 'EVConnected' };
    await one.charger.v2.status(1, 1, 'Occupied');
    const started = { ...event, eventType: 'Started', seqNo: 0, triggerReason: 'CablePluggedIn' } as const;
    expect(await one.charger.v2.transaction({ ...started, transactionInfo })).toEqual({});
    const { transactionId } = await one.session(({ rfidTag: none }) => none === '');
    one.charger.answer('RequestStartTransaction', () => ({ status: 'Accepted', transactionId: event.transactionId }));
    expect(await one.post('start-charging', { socketId: 1, rfidTag })).toMatchObject({ body: { status: 'Accepted' } });
    const { remoteStartId } = one.sent('RequestStartTransaction') as { readonly remoteStartId: number };
    const remote = {
      ...event,
      eventType: 'Updated',
      seqNo: 1,
      triggerReason: 'RemoteStart',
      idToken: rfidTag,
    } as const;
    const authorized = await one.charger.v2.transaction({
      ...remote,
      transactionInfo: { ...transactionInfo, remoteStartId },
    });
    expect(authorized).toEqual({ idTokenInfo: { status: 'Accepted' } });
    expect(await one.session((each) => each['rfidTag'] === rfidTag)).toMatchObject({
      transactionId,
      state: 'ongoing',
      startedBy: 'remote',
    });
  });

  it('TC_F_04. ends a remote start where no cable comes', async () => {
    const one = await station();
    const rfidTag = await tag();
    one.charger.answer('RequestStartTransaction', () => ({ status: 'Accepted' }));
    expect(await one.post('start-charging', { socketId: 1, rfidTag })).toMatchObject({ body: { status: 'Accepted' } });
    const { remoteStartId } = one.sent('RequestStartTransaction') as { readonly remoteStartId: number };
    const event = { transactionId: `F-${one.id}`, evse };
    const started = {
      ...event,
      eventType: 'Started',
      seqNo: 0,
      triggerReason: 'RemoteStart',
      idToken: rfidTag,
    } as const;
    await one.charger.v2.transaction({ ...started, transactionInfo: { remoteStartId, chargingState: 'Idle' } });
    const ended = { ...event, eventType: 'Ended', seqNo: 1, triggerReason: 'EVConnectTimeout' } as const;
    expect(await one.charger.v2.transaction({ ...ended, transactionInfo: { stoppedReason: 'Timeout' } })).toEqual({});
    const session = await one.session(({ state }) => state === 'ended');
    expect(session).toMatchObject({ rfidTag, startedBy: 'remote', stopReason: 'Timeout' });
  });

  it.each(['Unlocked', 'UnlockFailed', 'OngoingAuthorizedTransaction'])('TC_F_06. unlocks: %s', async (status) => {
    const { charger, post, sent } = await station();
    charger.answer('UnlockConnector', () => ({ status }));
    expect(await post('unlock', { socketId: 1 })).toMatchObject({ body: { status } });
    expect(sent('UnlockConnector')).toEqual({ evseId: 1, connectorId: 1 });
  });

  it.each([
    ['TC_F_11. MeterValues of an EVSE', { message: 'MeterValues', socketId: 1 }, { requestedMessage: 'MeterValues' }],
    ['TC_F_12. MeterValues of all', { message: 'MeterValues' }, { requestedMessage: 'MeterValues' }],
    ['TC_F_13. TransactionEvent of an EVSE', { message: 'TransactionEvent', socketId: 1 }, { evse: { id: 1 } }],
    ['TC_F_14. TransactionEvent of all', { message: 'TransactionEvent' }, { requestedMessage: 'TransactionEvent' }],
    [
      'TC_F_15. LogStatusNotification',
      { message: 'LogStatusNotification' },
      { requestedMessage: 'LogStatusNotification' },
    ],
    [
      'TC_F_18. FirmwareStatusNotification',
      { message: 'FirmwareStatusNotification' },
      { requestedMessage: 'FirmwareStatusNotification' },
    ],
    ['TC_F_20. Heartbeat', { message: 'Heartbeat' }, { requestedMessage: 'Heartbeat' }],
  ])('triggers %s', async (_title, body, payload) => {
    const { charger, post, sent } = await station();
    charger.answer('TriggerMessage', () => ({ status: 'Accepted' }));
    expect(await post('trigger-message', body)).toMatchObject({ body: { status: 'Accepted' } });
    expect(sent('TriggerMessage')).toMatchObject(payload);
  });

  it.each([
    ['TC_F_23. a free connector', 'Available', 'Available'],
    ['TC_F_24. an occupied one', 'Occupied', 'Preparing'],
  ])('triggers the status of %s', async (_title, connectorStatus, state) => {
    const { charger, post, sent, record } = await station();
    charger.answer('TriggerMessage', () => ({ status: 'Accepted' }));
    const body = { message: 'StatusNotification', socketId: 2 };
    expect(await post('trigger-message', body)).toMatchObject({ body: { status: 'Accepted' } });
    const requestedMessage = 'StatusNotification';
    expect(sent('TriggerMessage')).toEqual({ requestedMessage, evse: { id: 2, connectorId: 1 } });
    expect(await charger.v2.status(2, 1, connectorStatus)).toEqual({});
    await eventually(async () => {
      const sockets = (await record())['sockets'] as readonly Json[];
      return sockets.find(({ id }) => id === 2)?.['status'] === state;
    });
  });

  it('TC_F_27. shows that a trigger is not implemented', async () => {
    const { charger, post } = await station();
    charger.answer('TriggerMessage', () => ({ status: 'NotImplemented' }));
    expect(await post('trigger-message', { message: 'Heartbeat' })).toMatchObject({
      status: 200,
      body: { status: 'NotImplemented' },
    });
  });
});
