// Certificates of a charger on a real socket, by the v2 API, in each version of OCPP.
import { eventually, type ScriptedCharger } from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';

const HASH = { hashAlgorithm: 'SHA256', issuerNameHash: 'aa', issuerKeyHash: 'bb', serialNumber: '1f' };
const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const FORMS = [
  {
    version: 'ocpp1.6',
    type: 'CentralSystemRootCertificate',
    otherType: 'CSMSRootCertificate',
    list: { status: 'Accepted', certificateHashData: [HASH] },
  },
  ...['ocpp2.0.1', 'ocpp2.1'].map((version) => ({
    version,
    type: 'CSMSRootCertificate',
    otherType: 'CentralSystemRootCertificate',
    list: {
      status: 'Accepted',
      certificateHashDataChain: [{ certificateType: 'CSMSRootCertificate', certificateHashData: HASH }],
    },
  })),
];

let world: AllInOneWorld;
beforeAll(async () => {
  world = await openAllInOne();
});
afterAll(() => world.close());

interface Page {
  readonly items: readonly { readonly certificateId: string; readonly type: string }[];
  readonly listedAt: string | null;
}

const sent = ({ received }: ScriptedCharger, name: string) =>
  received.filter(({ action }) => action === name).map(({ payload }) => payload);

describe.each(FORMS)('certificates of a charger that speaks $version', ({ version, type, otherType, list }) => {
  async function open() {
    const id = await world.register();
    const charger = await world.connect(id, { subprotocols: [version] });
    if (version === 'ocpp1.6') await charger.boot();
    else await charger.v2.boot();
    await eventually(() => world.isActive(id));
    const path = `/chargers/${id}/certificates`;
    charger.answer('GetInstalledCertificateIds', (payload) =>
      payload['certificateType'] === 'ManufacturerRootCertificate' ? { status: 'NotFound' } : list,
    );
    const read = async (query = '') => (await world.v2('GET', path + query)).json() as unknown as Page;
    return { id, charger, path, read };
  }

  it('163. are listed by the charger, and stored', async () => {
    const { charger, read } = await open();
    expect(await read()).toMatchObject({ items: [], listedAt: null, status: null, commandId: null });
    const listed = await read('?refresh=true');
    expect(listed).toMatchObject({
      status: 'Accepted',
      totalRecords: 1,
      items: [{ type, hashData: HASH, children: [] }],
      commandId: expect.any(String) as string,
    });
    expect(await read()).toMatchObject({ items: listed.items, status: null });
    expect((await read(`?type=${type}`)).items).toEqual(listed.items);
    expect((await read('?type=ManufacturerRootCertificate')).items).toEqual([]);
    const all = [{ certificateType: type }, { certificateType: 'ManufacturerRootCertificate' }];
    expect(sent(charger, 'GetInstalledCertificateIds')).toEqual(version === 'ocpp1.6' ? all : [{}]);
  });

  it('163. are an empty list where the charger finds none', async () => {
    const { charger, read } = await open();
    await read('?refresh=true');
    charger.answer('GetInstalledCertificateIds', () => ({ status: 'NotFound' }));
    expect(await read('?refresh=true')).toMatchObject({ status: 'NotFound', items: [] });
    expect(await read()).toMatchObject({ items: [], listedAt: expect.any(String) as string });
  });

  it('163. are installed with the type of the version', async () => {
    const { charger, path } = await open();
    charger.answer('InstallCertificate', () => ({ status: 'Rejected' }));
    const installed = await world.v2('POST', path, { type, certificate: PEM });
    expect([installed.status, installed.json()]).toMatchObject([200, { status: 'Rejected' }]);
    expect(sent(charger, 'InstallCertificate')).toEqual([{ certificateType: type, certificate: PEM }]);
    const wrong = await world.v2('POST', path, { type: otherType, certificate: PEM });
    expect([wrong.status, wrong.json()]).toMatchObject([400, { errors: [{ path: '/type' }] }]);
  });

  it('163. are deleted by their id, if the charger deletes them', async () => {
    const { id, charger, path, read } = await open();
    const unknown = await world.v2('DELETE', `${path}/${'0'.repeat(32)}`);
    expect([unknown.status, unknown.json()]).toMatchObject([404, { code: 'not_found' }]);
    const [{ certificateId } = { certificateId: '' }] = (await read('?refresh=true')).items;
    const remove = async () => (await world.v2('DELETE', `/chargers/${id}/certificates/${certificateId}`)).json();
    charger.answer('DeleteCertificate', () => ({ status: 'Failed' }));
    expect(await remove()).toMatchObject({ status: 'Failed', certificateId });
    charger.answer('DeleteCertificate', () => ({ status: 'Accepted' }));
    expect(await remove()).toMatchObject({ status: 'Accepted', certificateId });
    expect(sent(charger, 'DeleteCertificate')).toEqual(Array(2).fill({ certificateHashData: HASH }));
    await eventually(async () => (await read()).items.length === 0);
  });

  it('130. change their stored list by POST /calls as by the operations', async () => {
    const { id, charger, read } = await open();
    const call = (action: string, payload: object) => world.v2('POST', `/chargers/${id}/calls`, { action, payload });
    const asked = version === 'ocpp1.6' ? { certificateType: type } : {};
    await call('GetInstalledCertificateIds', asked);
    await eventually(async () => (await read()).items.length === 1);
    charger.answer('DeleteCertificate', () => ({ status: 'Accepted' }));
    await call('DeleteCertificate', { certificateHashData: HASH });
    await eventually(async () => (await read()).items.length === 0);
  });
});

it('167. needs chargers:write besides chargers:operate to change certificates, and chargers:operate to ask for them', async () => {
  const id = await world.register();
  const path = `/chargers/${id}/certificates`;
  const keyWith = async (permissions: readonly string[]) =>
    String((await world.v2('POST', '/api-keys', { name: 'limited', permissions })).json()['key']);
  const detail = async (key: string, method: string, at: string, body?: object) => {
    const reply = await world.v2(method, at, body, { 'x-api-key': key });
    return [reply.status, reply.json()['code'], String(reply.json()['detail']).match(/chargers:\w+/)?.[0]];
  };
  const operator = await keyWith(['chargers:read', 'chargers:operate']);
  const body = { type: 'ManufacturerRootCertificate', certificate: PEM };
  expect(await detail(operator, 'POST', path, body)).toEqual([403, 'forbidden', 'chargers:write']);
  expect(await detail(operator, 'DELETE', `${path}/${'0'.repeat(32)}`)).toEqual([403, 'forbidden', 'chargers:write']);
  for (const action of ['InstallCertificate', 'DeleteCertificate', 'CertificateSigned', 'SetNetworkProfile']) {
    const refused = await detail(operator, 'POST', `/chargers/${id}/calls`, { action });
    expect([action, ...refused]).toEqual([action, 403, 'forbidden', 'chargers:write']);
  }
  const other = await detail(operator, 'POST', `/chargers/${id}/calls`, { action: 'GetInstalledCertificateIds' });
  expect(other).toEqual([409, 'charger_offline', undefined]);
  const reader = await keyWith(['chargers:read']);
  expect(await detail(reader, 'GET', `${path}?refresh=true`)).toEqual([403, 'forbidden', 'chargers:operate']);
});
