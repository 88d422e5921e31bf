import type { ChargerAuthentication, ConfigurationItem } from '@busbar/domain/chargers';
import {
  answered,
  handle,
  RECEIVED_AT,
  secondsBefore,
  unanswered,
  type Situation,
} from '../../testing/handler-situation';
import { changeConfigurationOutcome } from './change-configuration';

const change = (key: string, value: string, status = 'Accepted', situation: Situation = {}) =>
  handle(changeConfigurationOutcome, answered<'ChangeConfiguration'>({ key, value }, { status }), situation);
const item = (part: Partial<ConfigurationItem> = {}): ConfigurationItem => ({
  configName: 'Known',
  configValue: 'old',
  canBeChanged: true,
  ...part,
});
const known = (part?: Partial<ConfigurationItem>): Situation => ({ reported: { configuration: [item(part)] } });

describe('the result of a ChangeConfiguration', () => {
  it.each<[string, string, Situation, ConfigurationItem]>([
    ['Accepted', 'Known', known(), item({ configValue: 'new', changedAt: RECEIVED_AT })],
    ['RebootRequired', 'Known', known(), item({ configValue: 'new', changedAt: RECEIVED_AT })],
    ['Accepted', 'kNOWN', known(), item({ configValue: 'new', changedAt: RECEIVED_AT })],
    [
      'Accepted',
      'Known',
      known({ canBeChanged: false }),
      item({ configValue: 'new', changedAt: RECEIVED_AT, canBeChanged: false }),
    ],
    ['Accepted', 'New', {}, item({ configName: 'New', configValue: 'new' })],
  ])('stores the value: %s for %s', (status, key, situation, after) => {
    const { charger } = change(key, 'new', status, situation);
    expect(charger.reported.configuration).toEqual([{ ...after, position: [1, 5] }]);
  });

  it('retains the time of the last change where the value is the same', () => {
    const changedAt = secondsBefore(60);
    const { charger } = change('Known', 'old', 'Accepted', known({ changedAt }));
    expect(charger.reported.configuration).toEqual([item({ changedAt, position: [1, 5] })]);
  });

  it('changes no other key', () => {
    const { charger } = change('New', 'new', 'Accepted', known());
    expect(charger.reported.configuration).toMatchObject([item(), { configName: 'New' }]);
  });

  it('stores a secret masked', () => {
    expect(change('AuthorizationKey', '0011').charger.reported.configuration).toMatchObject([{ configValue: '***' }]);
  });

  it.each<[string, string, Situation]>([
    ['Rejected', 'of a known key', known()],
    ['NotSupported', 'of a known key', known()],
    ['Accepted', 'before that of a later message', known({ position: [2, 1] })],
    [
      'Accepted',
      'before a later list of all keys',
      { reported: { configuration: [item()], configurationPosition: [2, 1] } },
    ],
    ['Accepted', 'of a new key before a later list of all keys', { reported: { configurationPosition: [2, 1] } }],
    [
      'Accepted',
      'of one more key than the record may have',
      { reported: { configuration: Array.from({ length: 1000 }, (_, n) => item({ configName: `K${String(n)}` })) } },
    ],
  ])('ignores a change: %s, %s', (status, _, situation) => {
    const { charger, before } = change('Known', 'new', status, situation);
    expect(charger).toBe(before);
  });

  it('changes a known key where the record may have no more keys', () => {
    const full = Array.from({ length: 1000 }, (_, n) => item({ configName: `K${String(n)}` }));
    const { configuration } = change('k999', 'new', 'Accepted', { reported: { configuration: full } }).charger.reported;
    expect(configuration).toHaveLength(1000);
    expect(configuration[999]).toMatchObject({ configName: 'K999', configValue: 'new' });
  });

  it.each([
    ['with an invalid request', answered<'ChangeConfiguration'>(undefined, { status: 'Accepted' })],
    ['without a response', unanswered<'ChangeConfiguration'>({ key: 'Known', value: 'new' })],
  ])('ignores a CALL %s', (_, end) => {
    const { charger, before } = handle(changeConfigurationOutcome, end, known());
    expect(charger).toBe(before);
  });
});

describe('the result of a ChangeConfiguration of the AuthorizationKey', () => {
  const pending = {
    commandId: 'command-1',
    passwordHash: 'new',
    state: 'open' as const,
    until: secondsBefore(-60),
  };
  const before: ChargerAuthentication = { securityProfile: 1, passwordHash: 'old', pending: [pending] };
  const request = { key: 'AuthorizationKey', value: '***' };
  const byStatus = (status: string) => answered<'ChangeConfiguration'>(request, { status });
  const bothAre = (state: string) => ({ passwordHash: 'old', pending: [{ ...pending, state }] });
  const resolve = (end: ReturnType<typeof byStatus>, commandId?: string) =>
    handle(changeConfigurationOutcome, end, {
      authentication: before,
      report: commandId === undefined ? {} : { commandId },
    }).charger.registered.authentication;

  it.each<[string, ReturnType<typeof byStatus>, object]>([
    ['Accepted: the new key is valid', byStatus('Accepted'), { passwordHash: 'new', pending: [] }],
    ['RebootRequired: both are valid', byStatus('RebootRequired'), bothAre('agreed')],
    ['Rejected: the old key is valid', byStatus('Rejected'), { passwordHash: 'old', pending: [] }],
    ['NotSupported: the old key is valid', byStatus('NotSupported'), { passwordHash: 'old', pending: [] }],
    ['an unknown status: both are valid', byStatus('Perhaps'), bothAre('unknown')],
    [
      'a CALLERROR: the old key is valid',
      unanswered(request, { outcome: 'error', code: 'InternalError', description: '' }),
      { passwordHash: 'old', pending: [] },
    ],
    ['no answer: both are valid', unanswered(request), bothAre('unknown')],
    ['a lost connection: both are valid', unanswered(request, { outcome: 'disconnected' }), bothAre('unknown')],
    [
      'an answer that does not fit its schema: both are valid',
      unanswered(request, { outcome: 'invalid_answer', description: '' }),
      bothAre('unknown'),
    ],
  ])('10. after %s', (_, end, after) => {
    expect(resolve(end, 'command-1')).toMatchObject(after);
  });

  it.each([
    ['of another command', 'command-2'],
    ['of no command', undefined],
  ])('10. leaves the keys as they are for the result %s', (_, commandId) => {
    expect(resolve(byStatus('Accepted'), commandId)).toEqual(before);
  });
});
