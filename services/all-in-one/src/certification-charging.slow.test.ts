// The certification cases of local lists (block D), reservations (H) and smart charging (K); certification.slow.test.ts says what they are.
import { eventually } from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';
import { newTag, openStation, type Json, type Station } from './testing/open-station';

let world: AllInOneWorld;
let one: Station;
let rfidTag: string;
beforeAll(async () => {
  world = await openAllInOne();
  one = await openStation(world);
  rfidTag = await newTag(world);
});
afterAll(() => world.close());

async function send(method: string, path: string, body?: object) {
  const reply = await world.v2(method, `/chargers/${one.id}/${path}`, body);
  return { status: reply.status, body: reply.json() };
}

type Listed = Json & { readonly items: readonly Json[] };
const list = async (path: string) => (await send('GET', path)).body as Listed;
const now = () => new Date().toISOString();
const answers = (action: string, status: string) => one.charger.answer(action, () => ({ status }));

const LATER = '2099-01-01T00:00:00.000Z';

describe('D. Local authorization list', () => {
  /** As OCPP carries them. */
  const idToken = () => ({ idToken: rfidTag, type: 'ISO14443' });

  it.each<[string, string, () => readonly Json[], () => object]>([
    [
      'TC_D_01. with all its tags',
      'Full',
      () => [{ rfidTag, status: 'Accepted' }],
      () => ({ localAuthorizationList: [{ idToken: idToken(), idTokenInfo: { status: 'Accepted' } }] }),
    ],
    [
      'TC_D_02. with a changed tag',
      'Differential',
      () => [{ rfidTag }],
      () => ({ localAuthorizationList: [{ idToken: idToken(), idTokenInfo: { status: 'Accepted' } }] }),
    ],
    [
      'TC_D_03. without a tag that was on it',
      'Differential',
      () => [{ rfidTag, status: null }],
      () => ({ localAuthorizationList: [{ idToken: idToken() }] }),
    ],
    ['TC_D_04. that is empty', 'Full', () => [], () => ({})],
  ])('sends a list %s', async (title, updateType, tags, carried) => {
    answers('SendLocalList', 'Accepted');
    const listVersion = Number(title.slice(5, 7));
    const reply = await send('POST', 'local-list', { listVersion, updateType, tags: tags() });
    expect(reply).toMatchObject({ status: 200, body: { status: 'Accepted' } });
    expect(one.sent('SendLocalList')).toEqual({ versionNumber: listVersion, updateType, ...carried() });
  });

  it.each([
    ['TC_D_08. of its list', 4],
    ['TC_D_09. 0, where it has none', 0],
  ])('requests the version %s', async (_title, versionNumber) => {
    one.charger.answer('GetLocalListVersion', () => ({ versionNumber }));
    const reply = await send('GET', 'local-list/version');
    expect(reply).toMatchObject({ status: 200, body: { listVersion: versionNumber } });
  });
});

describe('H. Reservation', () => {
  const reserve = async (fields: object, status = 'Accepted') => {
    answers('ReserveNow', status);
    const reply = await send('POST', 'reservations', { rfidTag, expiresAt: LATER, ...fields });
    expect(reply).toMatchObject({ status: 200, body: { status } });
    return Number(reply.body['reservationId']);
  };
  /** The numbers of those in force. */
  const reserved = async () =>
    (await list('reservations')).items.filter(({ state }) => state === 'active').map((each) => each['reservationId']);
  const carried = (id: number) => ({ id, expiryDateTime: LATER, idToken: { idToken: rfidTag, type: 'Central' } });

  it.each<[string, object, object]>([
    ['TC_H_01. an EVSE', { socketId: 1 }, { evseId: 1 }],
    ['TC_H_08. any EVSE', {}, {}],
    ['TC_H_15. a connector of a type', { connectorType: 'cType2' }, { connectorType: 'cType2' }],
    [
      'TC_H_19. an EVSE for a group',
      { socketId: 1, parentRfidTag: 'GROUP' },
      { evseId: 1, groupIdToken: { idToken: 'GROUP', type: 'Central' } },
    ],
  ])('reserves %s', async (_title, fields, payload) => {
    const id = await reserve(fields);
    expect(one.sent('ReserveNow')).toEqual({ ...carried(id), ...payload });
    await eventually(async () => (await reserved()).includes(id));
  });

  it('TC_H_14. reserves as many EVSEs as the charger has', async () => {
    const ids = [await reserve({}), await reserve({})];
    await one.charger.v2.status(1, 1, 'Reserved');
    await one.charger.v2.status(2, 1, 'Reserved');
    await eventually(async () => {
      const found = await reserved();
      return ids.every((id) => found.includes(id));
    });
    await eventually(async () => {
      const { sockets } = (await one.record()) as { readonly sockets: readonly Json[] };
      return sockets.every(({ status }) => status === 'Reserved');
    });
  });

  const stateOf = async (id: number) =>
    (await list('reservations')).items.find(({ reservationId }) => reservationId === id)?.['state'];

  it.each([
    ['TC_H_07. that expired', 'Available', 'Expired', 'expired'],
    ['TC_H_20. of an EVSE that failed', 'Faulted', 'Removed', 'cancelled'],
  ])('ends a reservation %s', async (_title, status, reservationUpdateStatus, state) => {
    const reservationId = await reserve({ socketId: 1, expiresAt: state === 'expired' ? now() : LATER });
    await one.charger.v2.status(1, 1, status);
    expect(await one.charger.ask('ReservationStatusUpdate', { reservationId, reservationUpdateStatus })).toEqual({});
    await eventually(async () => (await stateOf(reservationId)) === state);
  });

  it('TC_H_17. cancels a reservation', async () => {
    const reservationId = await reserve({ socketId: 1 });
    answers('CancelReservation', 'Accepted');
    const reply = await send('DELETE', `reservations/${String(reservationId)}`);
    expect(reply).toMatchObject({ status: 200, body: { status: 'Accepted' } });
    expect(one.sent('CancelReservation')).toEqual({ reservationId });
    await eventually(async () => !(await reserved()).includes(reservationId));
  });

  it('TC_H_22. stores no reservation that the charger refuses', async () => {
    const id = await reserve({ socketId: 1 }, 'Rejected');
    expect(one.sent('ReserveNow')).toEqual({ ...carried(id), evseId: 1 });
    expect(await reserved()).not.toContain(id);
  });
});

describe('K. Smart charging', () => {
  const schedule = { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 6 }] };
  const absolute = { chargingProfileKind: 'Absolute', chargingSchedule: { ...schedule, startSchedule: LATER } };
  const relative = { chargingProfileKind: 'Relative', chargingSchedule: schedule };
  const byDefault = { chargingProfileId: 1, stackLevel: 0, chargingProfilePurpose: 'TxDefaultProfile', ...absolute };
  const whole = { ...byDefault, chargingProfileId: 2, chargingProfilePurpose: 'ChargePointMaxProfile' };
  const ofSession = { chargingProfileId: 3, stackLevel: 0, chargingProfilePurpose: 'TxProfile', ...relative };

  /** The profile in OCPP 2.x. */
  const carried = ({ chargingProfileId: id, chargingSchedule, ...profile }: Readonly<typeof byDefault> | Json) => ({
    ...profile,
    ...(profile['chargingProfilePurpose'] === 'ChargePointMaxProfile' && {
      chargingProfilePurpose: 'ChargingStationMaxProfile',
    }),
    id,
    chargingSchedule: [{ id: 1, ...(chargingSchedule as Json) }],
  });

  const set = async (socketId: number, chargingProfile: Json, status = 'Accepted') => {
    answers('SetChargingProfile', status);
    const reply = await send('POST', 'charging-profile', { socketId, chargingProfile });
    expect(reply).toMatchObject({ status: 200, body: { status } });
  };

  /** A session in progress: the charger's id of it, and ours. */
  async function charging(name: string) {
    const theirs = `${name}-${one.id}`;
    const event = { transactionId: theirs, evse: { id: 1, connectorId: 1 } };
    await one.charger.v2.transaction({ ...event, eventType: 'Started', seqNo: 0, idToken: rfidTag });
    const { transactionId } = await one.session(({ deviceTransactionId }) => deviceTransactionId === theirs);
    return { theirs, transactionId, end: () => one.charger.v2.transaction({ ...event, eventType: 'Ended', seqNo: 1 }) };
  }

  it.each<[string, number, Json, string]>([
    ['TC_K_01. for the sessions of an EVSE', 1, byDefault, 'Accepted'],
    ['TC_K_02. for a session of an EVSE without one', 1, ofSession, 'Rejected'],
    ['TC_K_03. for the whole charger', 0, whole, 'Accepted'],
    ['TC_K_10. for the sessions of all EVSEs', 0, byDefault, 'Accepted'],
    [
      'TC_K_19. that recurs',
      1,
      { ...byDefault, chargingProfileKind: 'Recurring', recurrencyKind: 'Daily' },
      'Accepted',
    ],
  ])('sets a profile %s', async (_title, evseId, profile, status) => {
    await set(evseId, profile, status);
    expect(one.sent('SetChargingProfile')).toEqual({ evseId, chargingProfile: carried(profile) });
  });

  it('TC_K_04. replaces a profile by one of its number', async () => {
    await set(1, byDefault);
    const replacing = { ...byDefault, chargingSchedule: { ...schedule, startSchedule: LATER, duration: 300 } };
    await set(1, replacing);
    expect(one.sent('SetChargingProfile')).toEqual({ evseId: 1, chargingProfile: carried(replacing) });
    await eventually(async () => {
      const { items } = await list('charging-profiles?chargingProfileId=1');
      return items.length === 1 && JSON.stringify(items).includes('"duration":300');
    });
  });

  it('TC_K_70. sets several profiles', async () => {
    await set(1, byDefault);
    await set(0, whole);
    await eventually(async () => {
      const { items } = await list('charging-profiles?chargingProfileId=1&chargingProfileId=2');
      return items.length === 2;
    });
  });

  it('TC_K_15. reports that the charger does not support profiles', async () => {
    one.charger.answer('SetChargingProfile', () => ({ kind: 'error', code: 'NotSupported' }));
    const reply = await send('POST', 'charging-profile', { socketId: 1, chargingProfile: byDefault });
    expect(reply).toMatchObject({ status: 502, body: { code: 'charger_error' } });
  });

  it('TC_K_60. sets a profile for a session in progress', async () => {
    const { theirs, transactionId, end } = await charging('K-60');
    await set(1, { ...ofSession, transactionId });
    const chargingProfile = { ...carried(ofSession), transactionId: theirs };
    expect(one.sent('SetChargingProfile')).toEqual({ evseId: 1, chargingProfile });
    await end();
  });

  it('TC_K_37. starts a session with a profile', async () => {
    answers('RequestStartTransaction', 'Accepted');
    const body = { socketId: 1, rfidTag, chargingProfile: ofSession };
    expect(await send('POST', 'start-charging', body)).toMatchObject({ status: 200, body: { status: 'Accepted' } });
    const idToken = { idToken: rfidTag, type: 'Central' };
    expect(one.sent('RequestStartTransaction')).toMatchObject({
      evseId: 1,
      idToken,
      chargingProfile: carried(ofSession),
    });
  });

  const criteria = { evseId: 1, stackLevel: 0, chargingProfilePurpose: 'TxDefaultProfile' };
  it.each<[string, string, object, string]>([
    ['TC_K_05. by its number', 'chargingProfileId=1', { chargingProfileId: 1 }, 'Accepted'],
    [
      'TC_K_06. by its level and purpose',
      'socketId=1&stackLevel=0&chargingProfilePurpose=TxDefaultProfile',
      { chargingProfileCriteria: criteria },
      'Accepted',
    ],
    [
      'TC_K_08. that the charger does not have',
      'socketId=1&stackLevel=0&chargingProfilePurpose=TxDefaultProfile',
      { chargingProfileCriteria: criteria },
      'Unknown',
    ],
  ])('clears a profile %s', async (_title, query, payload, status) => {
    answers('ClearChargingProfile', status);
    expect(await send('DELETE', `charging-profile?${query}`)).toMatchObject({ status: 200, body: { status } });
    expect(one.sent('ClearChargingProfile')).toEqual(payload);
  });

  it.each<[string, string, object]>([
    ['TC_K_29. of the whole charger', 'socketId=0', { evseId: 0, chargingProfile: {} }],
    ['TC_K_30. of an EVSE', 'socketId=1', { evseId: 1, chargingProfile: {} }],
    ['TC_K_31. of all', '', { chargingProfile: {} }],
    ['TC_K_32. by their numbers', 'chargingProfileId=9', { chargingProfile: { chargingProfileId: [9] } }],
    [
      'TC_K_33. of an EVSE, by their level',
      'socketId=1&stackLevel=0',
      { evseId: 1, chargingProfile: { stackLevel: 0 } },
    ],
    [
      'TC_K_34. of an EVSE, by their source',
      'socketId=1&chargingLimitSource=EMS',
      { evseId: 1, chargingProfile: { chargingLimitSource: ['EMS'] } },
    ],
    [
      'TC_K_35. of an EVSE, by their purpose',
      'socketId=1&chargingProfilePurpose=TxDefaultProfile',
      { evseId: 1, chargingProfile: { chargingProfilePurpose: 'TxDefaultProfile' } },
    ],
    [
      'TC_K_36. of an EVSE, by their purpose and level',
      'socketId=1&chargingProfilePurpose=TxDefaultProfile&stackLevel=0',
      { evseId: 1, chargingProfile: { chargingProfilePurpose: 'TxDefaultProfile', stackLevel: 0 } },
    ],
    [
      'TC_K_52. with an external limit',
      'chargingProfilePurpose=ChargingStationExternalConstraints',
      { chargingProfile: { chargingProfilePurpose: 'ChargingStationExternalConstraints' } },
    ],
  ])('requests the profiles %s', async (_title, query, payload) => {
    const evseId = query.includes('socketId=0') ? 0 : 1;
    const chargingLimitSource = /EMS|External/.test(query) ? 'EMS' : 'CSO';
    const purpose = query.includes('External') ? 'ChargingStationExternalConstraints' : 'TxDefaultProfile';
    const reported = { ...carried({ ...byDefault, chargingProfileId: 9 }), chargingProfilePurpose: purpose };
    one.charger.answer('GetChargingProfiles', ({ requestId }) => {
      const part = { requestId, chargingLimitSource, evseId, chargingProfile: [reported] };
      void one.charger.ask('ReportChargingProfiles', part);
      return { status: 'Accepted' };
    });
    const { items, status } = await list(`charging-profiles?refresh=true&${query}`);
    expect(one.sent('GetChargingProfiles')).toEqual({ requestId: expect.any(Number) as number, ...payload });
    expect(status).toBe('Accepted');
    expect(items).toContainEqual(expect.objectContaining({ chargingProfileId: 9, source: chargingLimitSource }));
  });

  it.each([
    ['TC_K_43. of an EVSE', 1],
    ['TC_K_44. of the whole charger', 0],
  ])('requests the composite schedule %s', async (_title, evseId) => {
    const composed = { evseId, duration: 300, scheduleStart: now(), ...schedule };
    one.charger.answer('GetCompositeSchedule', () => ({ status: 'Accepted', schedule: composed }));
    const body = { socketId: evseId, durationS: 300, chargingRateUnit: 'A' };
    const reply = await send('POST', 'composite-schedule', body);
    expect(reply).toMatchObject({ status: 200, body: { status: 'Accepted', chargingSchedule: schedule } });
    expect(one.sent('GetCompositeSchedule')).toEqual({ evseId, duration: 300, chargingRateUnit: 'A' });
  });

  it('TC_K_48. TC_K_50. has an external limit until it is cleared', async () => {
    const chargingLimit = { chargingLimitSource: 'EMS' };
    const limited = { evseId: 1, chargingLimit, chargingSchedule: [{ id: 1, ...schedule }] };
    expect(await one.charger.ask('NotifyChargingLimit', limited)).toEqual({});
    const limits = async () => (await list('charging-profiles'))['externalLimits'];
    await eventually(async () => JSON.stringify(await limits()).includes('EMS'));
    expect(await one.charger.ask('ClearedChargingLimit', { evseId: 1, ...chargingLimit })).toEqual({});
    await eventually(async () => !JSON.stringify(await limits()).includes('EMS'));
  });

  it('TC_K_51. takes the end of an external limit in a session', async () => {
    const { theirs, end } = await charging('K-51');
    expect(await one.charger.ask('ClearedChargingLimit', { evseId: 1, chargingLimitSource: 'EMS' })).toEqual({});
    const changed = {
      transactionId: theirs,
      eventType: 'Updated',
      seqNo: 1,
      triggerReason: 'ChargingRateChanged',
    } as const;
    expect(await one.charger.v2.transaction(changed)).toEqual({});
    await end();
  });

  describe('with a vehicle of ISO 15118', () => {
    beforeAll(() => world.v2('PATCH', `/chargers/${one.id}`, { chargingNeeds: 'processing' }));

    const acParameters = { energyAmount: 20_000, evMinCurrent: 6, evMaxCurrent: 32, evMaxVoltage: 400 };
    /** Says what the vehicle needs, and returns what it is answered. */
    const needs = async () => {
      const chargingNeeds = { requestedEnergyTransfer: 'AC_three_phase', acChargingParameters: acParameters };
      return (await one.charger.ask('NotifyEVChargingNeeds', { evseId: 1, chargingNeeds }))['status'];
    };
    const chosen = () =>
      one.charger.ask('NotifyEVChargingSchedule', {
        timeBase: now(),
        evseId: 1,
        chargingSchedule: { id: 1, ...schedule },
      });

    it.each<[string, (renegotiate: () => Promise<void>) => Promise<void>]>([
      ['TC_K_53. for what it needs', () => Promise.resolve()],
      [
        'TC_K_57. again where it asks for another',
        async (renegotiate) => {
          expect(await needs()).toBe('Accepted');
          await renegotiate();
        },
      ],
      ['TC_K_58. again where the operator changes it', (renegotiate) => renegotiate()],
      [
        'TC_K_59. again where the operator changes it and the vehicle repeats what it needs',
        async (renegotiate) => {
          await renegotiate();
          expect(await needs()).toBe('Accepted');
          await renegotiate();
        },
      ],
    ])('gives it a profile %s', async (title, then) => {
      const { theirs, transactionId, end } = await charging(title.slice(3, 7));
      expect(await needs()).toBe('Processing');
      const give = async () => {
        await set(1, { ...ofSession, transactionId });
        const chargingProfile = { ...carried(ofSession), transactionId: theirs };
        expect(one.sent('SetChargingProfile')).toEqual({ evseId: 1, chargingProfile });
        await eventually(async () => (await list('charging-profiles?chargingProfileId=3')).items.length === 1);
        expect(await chosen()).toEqual({ status: 'Accepted' });
      };
      await give();
      await then(give);
      const session = async () => one.session(({ deviceTransactionId }) => deviceTransactionId === theirs);
      await eventually(async () => (await session())['chargingSchedule'] !== null);
      expect((await session())['chargingNeeds']).toMatchObject({ evseId: 1 });
      await end();
    });
  });
});
