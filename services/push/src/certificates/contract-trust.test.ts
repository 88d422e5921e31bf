// Whether a contract may be used, by a real responder over HTTP.
import { openResponderEgress, type Egress } from '@busbar/runtime';
import {
  createAuthority,
  createFakeClock,
  createRecordingLogger,
  type Authority,
  type IssuedCertificate,
} from '@busbar/testing';
import { hashDataOf, openOcspResponder } from '../testing/ocsp-responder';
import { parseCertificate } from './certificate';
import { chainFaultOf } from './contract-trust';
import { createStatusChecks } from './status-checks';

type Status = 'good' | 'revoked' | 'unknown';

let root: Authority;
let sub: Authority;
let other: Authority;
let contract: IssuedCertificate;
let expiring: IssuedCertificate;
let responder: Awaited<ReturnType<typeof openOcspResponder>>;
let egress: Egress;
let statuses: Record<string, Status>;

beforeAll(async () => {
  responder = await openOcspResponder();
  egress = await openResponderEgress({ pushCaFile: undefined, pushProxyUrl: undefined }, ['127.0.0.1']);
  root = await createAuthority('MO root');
  sub = await root.subordinate('MO sub', { responderUrl: responder.url });
  other = await createAuthority('another root');
  contract = await sub.issue('EMAID', { responderUrl: responder.url });
  expiring = await sub.issue('EMAID', { responderUrl: responder.url, notAfter: new Date(Date.now() - 1_000) });
});
afterAll(async () => {
  await egress.close();
  responder.close();
});
beforeEach(() => {
  statuses = {};
  // The subordinate signs for its contracts, the root for the subordinate. Neither is enclosed.
  responder.respond(({ tbsRequest }) => {
    const [certId] = tbsRequest.requestList.map(({ reqCert }) => reqCert);
    const nameHash = certId === undefined ? '' : Buffer.from(certId.issuerNameHash.buffer).toString('hex');
    const isContract = nameHash === hashDataOf(sub.cert, '1').issuerNameHash;
    const status = statuses[isContract ? 'contract' : 'sub'] ?? 'good';
    return { key: isContract ? sub.key : root.key, status, nextUpdate: null };
  });
});

function trust(
  question: { readonly chain?: string; readonly certificates?: readonly object[] },
  roots?: string | null,
) {
  const checks = createStatusChecks({
    roots: roots === null ? undefined : (roots ?? root.cert),
    egress,
    clock: createFakeClock(new Date()),
    logger: createRecordingLogger(),
  });
  const certificates = (question.certificates ?? []) as ReturnType<typeof named>[];
  return checks.trust({ kind: 'trust', ...question, certificates });
}
const named = (
  issuer: Authority,
  { serialNumber }: Pick<IssuedCertificate, 'serialNumber'>,
  urls = [responder.url],
) => ({
  ...hashDataOf(issuer.cert, serialNumber),
  urls,
});
const chainOf = (...pem: readonly string[]): string => pem.join('\n');
const SUB = { serialNumber: '1001' };

describe('the chain of a contract', () => {
  it.each<[string, Record<string, Status>]>([
    ['accepted', {}],
    ['revoked', { contract: 'revoked' }],
    ['revoked', { sub: 'revoked' }],
    ['unavailable', { contract: 'unknown' }],
  ])('165. is %s where its statuses are %j', async (verdict, given) => {
    statuses = given;
    expect(await trust({ chain: chainOf(contract.cert, sub.cert) })).toEqual({ kind: 'trust', verdict });
  });

  it.each<[string, string, () => string]>([
    ['accepted', 'with its root', () => chainOf(contract.cert, sub.cert, root.cert)],
    ['expired', 'that is no longer valid', () => chainOf(expiring.cert, sub.cert)],
    ['unavailable', 'without the authority between', () => contract.cert],
    ['unavailable', 'of another root', () => other.cert],
    ['chain_error', 'that cannot be read', () => '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
    ['chain_error', 'without a certificate', () => 'pem'],
    ['chain_error', 'of more than five certificates', () => chainOf(...Array.from({ length: 6 }, () => contract.cert))],
  ])('165. is %s for one %s', async (verdict, _title, chain) => {
    expect(await trust({ chain: chain() })).toEqual({ kind: 'trust', verdict });
  });

  it('165. has a wrong signature where an authority of the same name did not sign it', async () => {
    const namesake = await createAuthority('MO sub');
    const forged = await namesake.issue('EMAID', { responderUrl: responder.url });
    expect(await trust({ chain: chainOf(forged.cert, sub.cert) })).toEqual({
      kind: 'trust',
      verdict: 'signature_error',
    });
  });

  it('165. is not saved by hashes of other certificates', async () => {
    statuses = { contract: 'revoked' };
    const question = { chain: chainOf(contract.cert, sub.cert), certificates: [named(root, SUB)] };
    expect(await trust(question)).toEqual({ kind: 'trust', verdict: 'revoked' });
  });

  it('165. is unavailable without roots, and where it names no responder', async () => {
    expect(await trust({ chain: chainOf(contract.cert, sub.cert) }, null)).toMatchObject({ verdict: 'unavailable' });
    const silent = await root.issue('EMAID');
    expect(await trust({ chain: silent.cert })).toMatchObject({ verdict: 'unavailable' });
  });
});

describe('the authorities between a contract and its root', () => {
  const named = (name: string, pathLength?: number) => ({ name, ...(pathLength !== undefined && { pathLength }) });

  it.each<[string, string | undefined, ReturnType<typeof named>[]]>([
    ['no limit', undefined, [named('root'), named('a'), named('b')]],
    ['as many as the root permits', undefined, [named('root', 1), named('a')]],
    ['one more than the root permits', 'chain_error', [named('root', 1), named('a'), named('b')]],
    ['as many as each permits', undefined, [named('root', 2), named('a', 1), named('b', 0)]],
    ['one below an authority that permits none', 'chain_error', [named('root'), named('a', 0), named('b')]],
    ['one below a root that permits none', 'chain_error', [named('root', 0), named('a')]],
    ['one that the root issued to itself', undefined, [named('root', 0), named('root')]],
  ])('165. may be %s: %s', async (_title, fault, [top, ...below]) => {
    const authorities = [await createAuthority('root', top)];
    for (const { name, ...options } of below) {
      authorities.unshift(await (authorities[0] as Authority).subordinate(name, options));
    }
    const [lowest, ...others] = authorities;
    const leaf = await (lowest as Authority).issue('EMAID');
    const chain = [leaf, lowest as Authority, ...others].map(({ cert }) => parseCertificate(cert));
    const anchors = chain.splice(-1);
    expect(chainFaultOf(chain, { anchors, now: new Date() })).toBe(fault);
  });
});

describe('the hashes of a contract', () => {
  it.each<[string, Record<string, Status>]>([
    ['accepted', {}],
    ['revoked', { contract: 'revoked' }],
    ['revoked', { sub: 'revoked', contract: 'unknown' }],
    ['unavailable', { sub: 'unknown' }],
  ])('165. are %s where the statuses are %j', async (verdict, given) => {
    statuses = given;
    const certificates = [named(sub, contract), named(root, SUB)];
    expect(await trust({ certificates }, chainOf(root.cert, sub.cert))).toEqual({ kind: 'trust', verdict });
  });

  it.each<[string, () => object, (() => string | null) | undefined]>([
    ['their issuer is unknown', () => named(sub, contract), undefined],
    ['no root is configured', () => named(root, SUB), () => null],
    ['their responder may not be asked', () => named(root, SUB, ['http://10.0.0.1/']), undefined],
    ['they are no hashes', () => ({ ...named(root, SUB), issuerKeyHash: 'xyz' }), undefined],
  ])('165. are unavailable where %s', async (_title, certificate, roots) => {
    expect(await trust({ certificates: [certificate()] }, roots?.())).toEqual({
      kind: 'trust',
      verdict: 'unavailable',
    });
  });

  it('165. are unavailable where there are none', async () => {
    expect(await trust({})).toEqual({ kind: 'trust', verdict: 'unavailable' });
  });
});
