// What a simulated charger of OCPP 2.x does for the commands that 1.6 does not have. Every message is validated.
import { createHash, X509Certificate } from 'node:crypto';
import type { V2Action } from '@busbar/ocpp';
import { createAuthority, type Authority } from '@busbar/testing';
import type { Payload } from '../connection';
import { openCharger, quiet, type OpenedCharger } from '../testing/open-charger';

const INTERVAL = { component: { name: 'OCPPCommCtrlr' }, variable: { name: 'HeartbeatInterval' } };
const profileOf = (id: number, limit: number, more: object = {}) => ({
  id,
  stackLevel: 0,
  chargingProfilePurpose: 'TxDefaultProfile',
  chargingProfileKind: 'Absolute',
  chargingSchedule: [{ id: 1, chargingRateUnit: 'W', chargingSchedulePeriod: [{ startPeriod: 0, limit }] }],
  ...more,
});

let root: Authority;
beforeAll(async () => {
  root = await createAuthority('Root');
});

describe.each(['ocpp2.0.1', 'ocpp2.1'] as const)('a simulated charger of %s', (version) => {
  let opened: OpenedCharger;
  beforeEach(async () => {
    opened = await openCharger(version);
  });

  const command = (action: V2Action, payload: Payload) => opened.command2(action, payload);
  const sent = (action: V2Action) => opened.take().flatMap(([name, payload]) => (name === action ? [payload] : []));
  const network = (configurationSlot: number, ocppTransport = 'JSON') => {
    const more = { messageTimeout: 30, securityProfile: 1, ocppInterface: 'Wired0', ocppVersion: 'OCPP20' };
    return { configurationSlot, connectionData: { ocppCsmsUrl: 'wss://csms.example', ocppTransport, ...more } };
  };

  it.each<[V2Action, Payload, Payload]>([
    ['CostUpdated', { totalCost: 1.5, transactionId: 'T' }, {}],
    ['SetNetworkProfile', network(1), { status: 'Accepted' }],
    ['SetNetworkProfile', network(1, 'SOAP'), { status: 'Rejected' }],
    ['SetNetworkProfile', network(-1), { status: 'Rejected' }],
    ['InstallCertificate', { certificateType: 'CSMSRootCertificate', certificate: 'none' }, { status: 'Rejected' }],
    ['GetInstalledCertificateIds', {}, { status: 'NotFound' }],
    ['CertificateSigned', { certificateChain: 'none' }, { status: 'Rejected' }],
    ['GetCompositeSchedule', { evseId: 3, duration: 60 }, { status: 'Rejected' }],
    [
      'GetReport',
      { requestId: 1, componentVariable: [{ component: { name: 'Other' } }] },
      { status: 'EmptyResultSet' },
    ],
    ['CustomerInformation', { requestId: 1, report: true, clear: false }, { status: 'Invalid' }],
    [
      'CustomerInformation',
      { requestId: 1, report: false, clear: false, customerIdentifier: 'Jane' },
      { status: 'Rejected' },
    ],
  ])('answers %s %j with %j, and sends nothing', async (action, payload, answer) => {
    expect(await command(action, payload)).toEqual(answer);
    expect(opened.take()).toEqual([]);
  });

  it('keeps ten network profiles, each replaced by the next of its slot', async () => {
    for (let slot = 0; slot < 10; slot += 1) await command('SetNetworkProfile', network(slot));
    expect(await command('SetNetworkProfile', network(10))).toEqual({ status: 'Rejected' });
    expect(await command('SetNetworkProfile', network(9))).toEqual({ status: 'Accepted' });
    expect(opened.charger.state.networkProfiles.get(9)).toEqual(network(9).connectionData);
  });

  it('gives the composite schedule of the profiles that it has', async () => {
    await command('SetChargingProfile', { evseId: 1, chargingProfile: profileOf(1, 6_900) });
    const periods = [
      [1, 'A', 10],
      [1, 'W', 6_900],
      [2, 'W', 22_080],
    ] as const;
    for (const [evseId, chargingRateUnit, limit] of periods) {
      const schedule = {
        evseId,
        duration: 60,
        scheduleStart: opened.clock.now().toISOString(),
        chargingRateUnit,
        chargingSchedulePeriod: [{ startPeriod: 0, limit }],
      };
      const answer = await command('GetCompositeSchedule', { evseId, duration: 60, chargingRateUnit });
      expect(answer).toEqual({ status: 'Accepted', schedule });
    }
    expect(await command('GetCompositeSchedule', { evseId: 0, duration: 60 })).toMatchObject({
      schedule: { chargingRateUnit: 'W' },
    });
  });

  it.each<[string, Payload, string[]]>([
    ['a variable', { componentVariable: [INTERVAL] }, ['OCPPCommCtrlr.HeartbeatInterval']],
    [
      'all instances of a variable',
      { componentVariable: [{ component: { name: 'DeviceDataCtrlr' }, variable: { name: 'ItemsPerMessage' } }] },
      ['GetReport', 'GetVariables', 'SetVariables'].map((name) => `DeviceDataCtrlr.ItemsPerMessage.${name}`),
    ],
    [
      'a component',
      { componentVariable: [{ component: { name: 'securityctrlr' } }] },
      ['SecurityCtrlr.BasicAuthPassword', 'SecurityCtrlr.OrganizationName'],
    ],
    [
      'a component that is enabled',
      {
        componentCriteria: ['Problem', 'Enabled'],
        componentVariable: [INTERVAL, { component: { name: 'AuthCacheCtrlr' } }],
      },
      ['OCPPCommCtrlr.HeartbeatInterval'],
    ],
  ])('reports %s', async (_what, criteria, names) => {
    opened.charger.state.configuration.set('AuthorizationCacheEnabled', 'false');
    expect(await command('GetReport', { requestId: 5, ...criteria })).toEqual({ status: 'Accepted' });
    const parts = sent('NotifyReport') as unknown as { reportData: { component: Named; variable: Named }[] }[];
    expect(parts).toMatchObject([{ requestId: 5, seqNo: 0, tbc: false }]);
    const reported = parts[0]?.reportData.map(({ component, variable: { name, instance } }) =>
      [component.name, name, ...(instance === undefined ? [] : [instance])].join('.'),
    );
    expect(reported).toEqual(names);
    const problem = { requestId: 5, componentCriteria: ['Problem'] };
    expect(await command('GetReport', problem)).toEqual({ status: 'EmptyResultSet' });
  });

  it('reports what it knows of a customer, and forgets it', async () => {
    const idToken = { idToken: 'TAG', type: 'ISO14443' };
    await opened.charger.sessions.start({ socketId: 2, idTag: 'TAG' });
    const reported = async (asked: Payload) => {
      opened.take();
      const request = { requestId: 5, report: true, clear: false, idToken, ...asked };
      expect(await command('CustomerInformation', request)).toEqual({ status: 'Accepted' });
      return sent('NotifyCustomerInformation');
    };
    const data = (text: string) => [
      { requestId: 5, data: text, seqNo: 0, tbc: false, generatedAt: opened.clock.now().toISOString() },
    ];
    expect(await reported({})).toEqual(data('Authorization cache: Accepted. Transaction at EVSE 2.'));
    expect(await reported({ report: false, clear: true })).toEqual(data(''));
    expect(await reported({})).toEqual(data('Transaction at EVSE 2.'));
    expect(await reported({ idToken: { ...idToken, idToken: 'OTHER' } })).toEqual(data(''));
  });

  it('has certificates by their hashes until they are deleted', async () => {
    const certificate = { certificateType: 'CSMSRootCertificate', certificate: root.cert };
    for (let i = 0; i < 2; i += 1) {
      expect(await command('InstallCertificate', certificate)).toEqual({ status: 'Accepted' });
    }
    const { serialNumber, publicKey } = new X509Certificate(root.cert);
    const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-65);
    const listed = await command('GetInstalledCertificateIds', { certificateType: ['CSMSRootCertificate'] });
    expect(listed).toMatchObject({
      status: 'Accepted',
      certificateHashDataChain: [
        {
          certificateType: 'CSMSRootCertificate',
          certificateHashData: {
            hashAlgorithm: 'SHA256',
            issuerKeyHash: createHash('sha256').update(key).digest('hex'),
            serialNumber: serialNumber.toLowerCase().replace(/^0+/, ''),
          },
        },
      ],
    });
    const others = { certificateType: ['ManufacturerRootCertificate'] };
    expect(await command('GetInstalledCertificateIds', others)).toEqual({ status: 'NotFound' });
    const [found] = (listed as unknown as Listed).certificateHashDataChain;
    const { serialNumber: serial = '', ...hashes } = found?.certificateHashData ?? {};
    const certificateHashData = { ...hashes, serialNumber: serial.toUpperCase() };
    expect(await command('DeleteCertificate', { certificateHashData })).toEqual({ status: 'Accepted' });
    expect(await command('DeleteCertificate', { certificateHashData })).toEqual({ status: 'NotFound' });
  });

  it('installs no certificate that another issuer signs', async () => {
    const { cert } = await root.issue('csms.example');
    const request = { certificateType: 'CSMSRootCertificate', certificate: cert };
    expect(await command('InstallCertificate', request)).toEqual({ status: 'Rejected' });
  });

  it.each(['Accepted', 'Rejected'])('requests a certificate when it is triggered, which is %s', async (status) => {
    opened.answers['SignCertificate'] = { status };
    const trigger = { requestedMessage: 'SignChargingStationCertificate' };
    expect(await command('TriggerMessage', trigger)).toEqual({ status: 'Accepted' });
    const [request] = sent('SignCertificate');
    expect(request?.['csr']).toContain('BEGIN CERTIFICATE REQUEST');
    const { requestId } = request ?? {};
    expect(requestId).toBe(version === 'ocpp2.1' ? 1 : undefined);
    const signed = (more: object = {}) => command('CertificateSigned', { certificateChain: root.cert, ...more });
    expect(await signed({ certificateType: 'V2GCertificate' })).toEqual({ status: 'Rejected' });
    expect(await signed(requestId === undefined ? {} : { requestId })).toEqual({ status });
    expect(await signed()).toEqual({ status: 'Rejected' });
  });
});

describe('a simulated charger of ocpp2.1', () => {
  let opened: OpenedCharger;
  beforeEach(async () => {
    opened = await openCharger('ocpp2.1');
  });

  const command = (action: V2Action, payload: Payload) => opened.command2(action, payload);
  const limit = async () => {
    const answer = await command('GetCompositeSchedule', { evseId: 1, duration: 60 });
    return (answer as unknown as Scheduled).schedule.chargingSchedulePeriod.map((period) => period.limit);
  };

  it('takes another limit of a dynamic profile, and no other update', async () => {
    const dynamic = profileOf(1, 4_000, { chargingProfileKind: 'Dynamic', dynUpdateInterval: 60 });
    await command('SetChargingProfile', { evseId: 1, chargingProfile: dynamic });
    await command('SetChargingProfile', { evseId: 2, chargingProfile: profileOf(2, 4_000) });
    expect(await limit()).toEqual([4_000]);
    const update = (chargingProfileId: number, scheduleUpdate: object) =>
      command('UpdateDynamicSchedule', { chargingProfileId, scheduleUpdate });
    expect(await update(1, { limit: 3_000 })).toEqual({ status: 'Accepted' });
    expect(await limit()).toEqual([3_000]);
    for (const [id, scheduleUpdate] of [
      [1, { setpoint: 1 }],
      [1, { limit: 1, limit_L2: 1 }],
      [2, { limit: 1 }],
      [9, { limit: 1 }],
    ] as const) {
      expect(await update(id, scheduleUpdate)).toEqual({ status: 'Rejected' });
    }
    expect(await limit()).toEqual([3_000]);
    opened.take();
    await command('GetChargingProfiles', { requestId: 5, evseId: 1, chargingProfile: {} });
    const dynUpdateTime = opened.clock.now().toISOString();
    expect(opened.take()).toMatchObject([
      [
        'ReportChargingProfiles',
        { chargingProfile: [{ chargingProfileKind: 'Dynamic', dynUpdateInterval: 60, dynUpdateTime }] },
      ],
    ]);
  });

  it('charges with priority by its profile, while that is requested', async () => {
    const use = (transactionId: string, activate: boolean) =>
      command('UsePriorityCharging', { transactionId, activate });
    expect(await use('other', true)).toEqual({ status: 'Rejected' });
    await command('SetChargingProfile', { evseId: 0, chargingProfile: profileOf(1, 0) });
    await opened.charger.sessions.start({ socketId: 1, idTag: 'TAG' });
    await quiet();
    const events = opened.take().flatMap(([, payload]) => {
      const info = payload['transactionInfo'] as Payload | undefined;
      return info === undefined ? [] : [info];
    });
    const transactionId = String(events[0]?.['transactionId']);
    expect(await use(transactionId, true)).toEqual({ status: 'NoProfile' });
    const priority = profileOf(2, 9_000, { chargingProfilePurpose: 'PriorityCharging' });
    expect(await command('SetChargingProfile', { evseId: 1, chargingProfile: priority })).toEqual({
      status: 'Accepted',
    });
    for (const [activated, chargingState, now] of [
      [true, 'Charging', 9_000],
      [false, 'SuspendedEVSE', 0],
    ] as const) {
      opened.take();
      expect(await use(transactionId, activated)).toEqual({ status: 'Accepted' });
      expect(opened.take()).toMatchObject([
        ['NotifyPriorityCharging', { transactionId, activated }],
        ['TransactionEvent', { transactionInfo: { chargingState } }],
      ]);
      expect(await limit()).toEqual([now]);
    }
  });

  it('has the event streams of its monitors until they are cleared, or it boots', async () => {
    const monitor = (more: object) => ({ ...INTERVAL, type: 'Periodic', value: 1, severity: 5, ...more });
    const setMonitors = (...setMonitoringData: object[]) => command('SetVariableMonitoring', { setMonitoringData });
    const streams = () => command('GetPeriodicEventStream', {});
    const params = { interval: 10, values: 5 };
    opened.answers['OpenPeriodicEventStream'] = { status: 'Accepted' };
    expect(await streams()).toEqual({});
    await setMonitors(monitor({ periodicEventStream: params }), monitor({ severity: 6 }));
    const constantStreamData = { id: 1, params, variableMonitoringId: 1 };
    expect(opened.take()).toEqual([['OpenPeriodicEventStream', { constantStreamData }]]);
    const notified = (seconds: number): unknown[] => {
      for (let each = 0; each < seconds; each += 1) opened.clock.advance(1_000);
      return opened.take().filter(([action]) => action === 'NotifyPeriodicEventStream');
    };
    const five = [0, 1, 2, 3, 4].map((t) => ({ t, v: '300' }));
    expect(notified(4)).toEqual([]);
    expect(notified(1)).toMatchObject([['NotifyPeriodicEventStream', { id: 1, pending: 0, data: five }]]);
    const adjust = (id: number) => command('AdjustPeriodicEventStream', { id, params: { interval: 30 } });
    expect(await adjust(1)).toEqual({ status: 'Accepted' });
    expect(await adjust(2)).toEqual({ status: 'Rejected' });
    expect(await streams()).toEqual({ constantStreamData: [{ ...constantStreamData, params: { interval: 30 } }] });
    // The first of them, and those of the 30 s since.
    expect(notified(31)).toMatchObject([['NotifyPeriodicEventStream', { data: { length: 31 } }]]);
    await command('ClearVariableMonitoring', { id: [1] });
    expect(opened.take()).toEqual([['ClosePeriodicEventStream', { id: 1 }]]);
    expect(notified(31)).toEqual([]);
    expect(await streams()).toEqual({});
    await setMonitors(monitor({ severity: 7, periodicEventStream: params }));
    await opened.charger.boot();
    expect(await streams()).toEqual({});
    opened.answers['OpenPeriodicEventStream'] = { status: 'Rejected' };
    await setMonitors(monitor({ severity: 8, periodicEventStream: params }));
    expect(await streams()).toEqual({});
  });
});

interface Named {
  readonly name: string;
  readonly instance?: string;
}

interface Listed {
  readonly certificateHashDataChain: readonly { readonly certificateHashData: Readonly<Record<string, string>> }[];
}

interface Scheduled {
  readonly schedule: { readonly chargingSchedulePeriod: readonly { readonly limit: number }[] };
}
