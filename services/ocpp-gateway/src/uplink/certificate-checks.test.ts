// Questions about certificates as a gateway asks them: real sockets, and the test plays services/push.
import { channels, type CertificateFinding, type CertificateRequest } from '@busbar/contracts';
import { eventually } from '@busbar/testing';
import { openWorld, type GatewayWorld } from '../testing/open-world';

const HASH = { hashAlgorithm: 'SHA256', issuerNameHash: 'aa', issuerKeyHash: 'bb', serialNumber: '01' };
const STATUS = { ocspRequestData: { ...HASH, responderURL: 'http://ocsp.example.com/' } };
const FOUND: CertificateFinding = { kind: 'response', response: 'MA==' };

let world: GatewayWorld;
let requests: CertificateRequest[];

beforeEach(async () => {
  requests = [];
  world = await openWorld({ subprotocol: 'ocpp2.1' });
  world.admit(() => world.acceptance({ bootStatus: 'accepted' }));
  world.decide('GetCertificateStatus', () => ({ status: 'Failed' }));
});
afterEach(() => world.close());

/** Plays services/push. */
async function push(answer: () => CertificateFinding | Promise<CertificateFinding>): Promise<void> {
  await world.broker.respond(channels.certificateChecks, '', (request) => {
    requests.push(request);
    return Promise.resolve(answer());
  });
}

const findings = () => world.reports.filter(({ kind }) => kind === 'decision').map(({ certificates }) => certificates);

describe('a CALL about certificates', () => {
  it('164. is published with what push found', async () => {
    await push(() => FOUND);
    const charger = await world.connect();
    await charger.call('GetCertificateStatus', STATUS);
    const question = { kind: 'response', certificate: { ...HASH, urls: ['http://ocsp.example.com/'] } };
    expect(requests).toEqual([{ chargerId: expect.any(String) as string, ocppVersion: 'ocpp2.1', question }]);
    expect(findings()).toEqual([FOUND]);
  });

  it('164. is published without a finding while nobody of push is there', async () => {
    const charger = await world.connect();
    await charger.call('GetCertificateStatus', STATUS);
    expect(findings()).toEqual([{ kind: 'none' }]);
  });

  it("164. holds the charger's frames behind it, and those of no other charger", async () => {
    let answer: (finding: CertificateFinding) => void = () => undefined;
    await push(() => new Promise((resolve) => (answer = resolve)));
    const charger = await world.connect();
    charger.send(JSON.stringify([2, '1', 'GetCertificateStatus', STATUS]));
    charger.send('[2,"2","Heartbeat",{}]');
    await eventually(() => requests.length === 1);
    await (await world.connect()).heartbeat();
    const actions = () =>
      world.reports.filter(({ order, raw }) => order === 1 && raw !== '').map(({ action }) => action);
    expect(actions()).toEqual([]);
    answer(FOUND);
    await eventually(() => actions().length === 2);
    expect(actions()).toEqual(['GetCertificateStatus', 'Heartbeat']);
  });
});
