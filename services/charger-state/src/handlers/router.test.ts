import type { Applied } from '../pipeline/contract';
import { newReport } from '../testing/report';
import { followVersions } from './router';

it('gives each version only its own messages of a batch', () => {
  const given: [string, string[]][] = [];
  const versionOf = (name: string) => ({
    name,
    follow: (applied: readonly Applied[]) => void given.push([name, applied.map(({ report }) => report.id)]),
  });
  const batch = ['ocpp1.6', 'ocpp2.1', 'ocpp1.6'].map((ocppVersion, index) => {
    const report = newReport({ id: String(index), ocppVersion });
    return { report, charger: undefined, isNew: true };
  });
  followVersions(['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'].map(versionOf), batch);
  expect(given).toEqual([
    ['ocpp1.6', ['0', '2']],
    ['ocpp2.1', ['1']],
  ]);
});
