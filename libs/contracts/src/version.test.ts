import { REPORT_KINDS, REPORT_VERSION, versionOf } from './version';

it.each([
  ['a body without a version', { n: 1 }, 0],
  ['no object', 'text', 0],
  ['a request', { v: 3 }, 3],
  ['a batch with its highest report', { reports: [{ v: 1, kind: 'report' }, { v: 4 }] }, 4],
  ['a dead letter of a newer report', { v: 1, report: { v: 2, kind: 'report' } }, 2],
  ['a report of an unknown kind', { reports: [{ v: 1, kind: 'a newer kind' }] }, REPORT_VERSION + 1],
  ['a kind named like a property of every object', { reports: [{ v: 1, kind: 'toString' }] }, REPORT_VERSION + 1],
  ['a report of an unknown kind and a newer version', { reports: [{ v: 9, kind: 'a newer kind' }] }, 9],
])('reads the version of %s', (_, body, version) => {
  expect(versionOf(body)).toBe(version);
});

it('knows every kind in the version of this program', () => {
  for (const kind of Object.keys(REPORT_KINDS)) {
    expect(versionOf({ reports: [{ v: REPORT_VERSION, kind }] })).toBe(REPORT_VERSION);
  }
});
