import {
  certificateIdOf,
  certificatesListedAt,
  withCertificateListing,
  withoutCertificate,
  type CertificateListing,
  type InstalledCertificate,
  type InstalledCertificates,
} from './certificates';

const AT = '2026-01-01T00:00:00.000Z';
const NOW = '2026-02-01T00:00:00.000Z';

const hashData = (serialNumber: string) => ({
  hashAlgorithm: 'SHA256',
  issuerNameHash: 'aa',
  issuerKeyHash: 'bb',
  serialNumber,
});
const certificate = (type: string, serialNumber: string): InstalledCertificate => ({
  type,
  hashData: hashData(serialNumber),
  children: [],
});

/** One of each of two types, listed by message 2. */
const BEFORE: InstalledCertificates = {
  certificates: [certificate('A', '1'), certificate('B', '2')],
  listed: { '*': AT },
  commandId: 'c1',
  position: [1, 2],
};

const listing = (part: Partial<CertificateListing> = {}): CertificateListing => ({
  types: undefined,
  certificates: [certificate('A', '3')],
  commandId: 'c2',
  at: NOW,
  position: [1, 5],
  ...part,
});
const shown = (after: InstalledCertificates | null) =>
  after?.certificates.map(({ type, hashData: { serialNumber } }) => type + serialNumber);

it.each<[string, InstalledCertificates | null, Partial<CertificateListing>, readonly string[]]>([
  ['is the first list', null, {}, ['A3']],
  ['is replaced by one of all types', BEFORE, {}, ['A3']],
  ['is replaced in the types that were asked for', BEFORE, { types: ['A'] }, ['B2', 'A3']],
  ['loses those of a type of which there is none', BEFORE, { types: ['B'], certificates: [] }, ['A1']],
  ['is empty where there is none', BEFORE, { certificates: [] }, []],
  [
    'has each certificate of a type once',
    null,
    { certificates: [certificate('A', '1'), certificate('A', '1'), certificate('B', '1')] },
    ['A1', 'B1'],
  ],
])('163. the list of certificates %s', (_what, before, part, expected) => {
  const after = withCertificateListing(before, listing(part));
  expect(shown(after)).toEqual(expected);
  expect(after).toMatchObject({ commandId: 'c2', position: [1, 5] });
  expect(certificatesListedAt(after, part.types)).toBe(NOW);
});

it.each<[string, InstalledCertificates | null, readonly string[] | undefined, string | null]>([
  ['of a type that was listed', null, ['A'], NOW],
  ['of a type that was not listed', null, ['B'], null],
  ['of all, where one type was listed', null, undefined, null],
  ['of all, where one type was listed after all', BEFORE, undefined, AT],
  ['of two types: the older one', BEFORE, ['A', 'B'], AT],
])('163. has the time of the list %s', (_what, before, types, expected) => {
  expect(certificatesListedAt(withCertificateListing(before, listing({ types: ['A'] })), types)).toBe(expected);
});

it('163. ignores a list from before a later message', () => {
  expect(withCertificateListing(BEFORE, listing({ position: [1, 1] }))).toBe(BEFORE);
});

it('163. stores at most a thousand certificates', () => {
  const many = Array.from({ length: 1_001 }, (_each, n) => certificate('A', String(n)));
  expect(withCertificateListing(null, listing({ certificates: many })).certificates).toHaveLength(1_000);
});

describe('a deleted certificate', () => {
  it('163. leaves the list, which keeps its time', () => {
    const after = withoutCertificate(BEFORE, { hashData: hashData('1'), position: [1, 5] });
    expect(shown(after)).toEqual(['B2']);
    expect(after).toMatchObject({ listed: { '*': AT }, commandId: 'c1', position: [1, 5] });
  });

  it('163. is listed again by a list from after the deletion, but by none from before', () => {
    const after = withoutCertificate(BEFORE, { hashData: hashData('1'), position: [1, 5] });
    expect(shown(withCertificateListing(after, listing({ position: [1, 4] })))).toEqual(['B2']);
    expect(shown(withCertificateListing(after, listing({ position: [1, 6] })))).toEqual(['A3']);
  });

  it('163. changes no list that was read after it, and none where there is none', () => {
    expect(withoutCertificate(BEFORE, { hashData: hashData('1'), position: [1, 1] })).toBe(BEFORE);
    expect(withoutCertificate(null, { hashData: hashData('1'), position: [1, 1] })).toBeNull();
  });
});

it('163. gives a certificate an id of its hash data, in either case of the digits', () => {
  const id = certificateIdOf(hashData('af'));
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(certificateIdOf({ ...hashData('AF'), issuerNameHash: 'AA' })).toBe(id);
  for (const field of ['hashAlgorithm', 'issuerNameHash', 'issuerKeyHash', 'serialNumber']) {
    expect(certificateIdOf({ ...hashData('af'), [field]: 'other' })).not.toBe(id);
  }
});
