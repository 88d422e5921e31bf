import type { ConfigurationItem } from '@busbar/domain/chargers';
import {
  answered,
  handle,
  RECEIVED_AT,
  secondsBefore,
  unanswered,
  type Situation,
} from '../../testing/handler-situation';
import { getConfigurationOutcome } from './get-configuration';
import type { RequestOf, ResponseOf } from './route';

const keys = (...names: string[]) => names.map((key) => ({ key, readonly: false, value: '' }));
const item = (configName: string, part: Partial<ConfigurationItem> = {}): ConfigurationItem => ({
  configName,
  configValue: '',
  canBeChanged: true,
  ...part,
});
const limit = (n: number) => ({ key: 'getConfigurationMaxKeys', readonly: true, value: String(n) });
const having = (...configuration: ConfigurationItem[]): Situation => ({ reported: { configuration } });
const report = (
  response: ResponseOf<'GetConfiguration'>,
  situation: Situation = {},
  request: RequestOf<'GetConfiguration'> | undefined = {},
) => handle(getConfigurationOutcome, answered<'GetConfiguration'>(request, response), situation).charger.reported;
const namesOf = ({ configuration }: { readonly configuration: readonly ConfigurationItem[] }) =>
  configuration.map(({ configName }) => configName);

describe('the result of a GetConfiguration', () => {
  it('stores the keys as the charger reports them, and the position', () => {
    const configurationKey = [
      { key: 'A', readonly: true, value: '2' },
      { key: 'B', readonly: false },
    ];
    expect(report({ configurationKey })).toMatchObject({
      configuration: [item('A', { configValue: '2', canBeChanged: false }), item('B')],
      configurationPosition: [1, 5],
    });
  });

  it('replaces a known key, in any case, by the charger’s spelling', () => {
    expect(namesOf(report({ configurationKey: keys('HeartbeatInterval') }, having(item('heartbeatinterval'))))).toEqual(
      ['HeartbeatInterval'],
    );
  });

  it('stores when it noticed a change, in a list of all keys too, and none for a key that is new or the same', () => {
    const changedAt = secondsBefore(60);
    const before = having(item('Other', { configValue: '1' }), item('same', { changedAt }), item('Secret'));
    const configurationKey = [{ key: 'other', readonly: false, value: '2' }, ...keys('Same', 'New')];
    expect(report({ configurationKey }, before).configuration).toEqual([
      item('other', { configValue: '2', changedAt: RECEIVED_AT }),
      item('Same', { changedAt }),
      item('New'),
    ]);
  });

  it('stores secrets masked', () => {
    const configurationKey = [{ key: 'AuthorizationKey', readonly: false, value: 'deadbeef' }];
    expect(report({ configurationKey }).configuration).toEqual([item('AuthorizationKey', { configValue: '***' })]);
  });

  it.each<[string, ResponseOf<'GetConfiguration'>, RequestOf<'GetConfiguration'>, string[]]>([
    ['all, for a request without keys', { configurationKey: keys('New') }, {}, ['New']],
    ['all, for an empty list of keys', { configurationKey: keys('New') }, { key: [] }, ['New']],
    ['none, for a request of one key', { configurationKey: keys('New') }, { key: ['New'] }, ['Known', 'New']],
    ['none, for an empty response', {}, {}, ['Known']],
    [
      'none, for a response as long as the charger’s limit',
      { configurationKey: [limit(2), ...keys('New')] },
      {},
      ['Known', 'getConfigurationMaxKeys', 'New'],
    ],
    [
      'all, for a response below the charger’s limit',
      { configurationKey: [limit(3), ...keys('New')] },
      {},
      ['getConfigurationMaxKeys', 'New'],
    ],
    ['those that the charger does not know', { unknownKey: ['kNOWN'] }, { key: ['kNOWN'] }, []],
  ])('deletes keys that the response lacks: %s', (_, response, request, names) => {
    expect(namesOf(report(response, having(item('Known')), request))).toEqual(names);
  });

  it('compares the length of the response with a limit that was reported earlier', () => {
    const before = having(item('GetConfigurationMaxKeys', { configValue: '1' }), item('Known'));
    expect(namesOf(report({ configurationKey: keys('New') }, before))).toContain('Known');
  });

  it('deletes nothing where the request is unknown', () => {
    const end = answered<'GetConfiguration'>(undefined, { configurationKey: keys('New') });
    const { charger } = handle(getConfigurationOutcome, end, having(item('Known')));
    expect(namesOf(charger.reported)).toEqual(['Known', 'New']);
  });

  it.each<[string, ResponseOf<'GetConfiguration'>]>([
    ['reports another value', { configurationKey: [{ key: 'Known', readonly: false, value: 'old' }] }],
    ['lacks it', { configurationKey: keys('Other') }],
    ['does not know it', { unknownKey: ['Known'] }],
  ])('retains the change of a later command where the response %s', (_, response) => {
    const changed = item('Known', { configValue: 'new', position: [2, 1] });
    expect(report(response, having(changed)).configuration).toContainEqual(changed);
  });

  it('stores 1000 keys at most', () => {
    const many = keys(...Array.from({ length: 1500 }, (_, n) => `K${String(n)}`));
    expect(report({ configurationKey: many }).configuration).toHaveLength(1000);
  });

  it('ignores a report from before the stored one', () => {
    const reported = { configurationPosition: [2, 1] as const, configuration: [item('Known')] };
    const end = answered<'GetConfiguration'>({}, { configurationKey: keys('New') });
    const { charger, before } = handle(getConfigurationOutcome, end, { reported });
    expect(charger).toBe(before);
  });

  it('ignores a CALL without a response', () => {
    const { charger, before } = handle(
      getConfigurationOutcome,
      unanswered<'GetConfiguration'>({}),
      having(item('Known')),
    );
    expect(charger).toBe(before);
  });
});
