import { VERSIONS_2 } from './load/messages-2';
import { readConsoleOptions, readOptions } from './options';
import { goalInVersion, ROWS } from './rows';

describe('the options of the bench', () => {
  it('has everything, three rounds of five seconds, by default', () => {
    const options = readOptions([]);
    expect(options).toMatchObject({
      columns: [1, 2, 3],
      rounds: 3,
      seconds: 5,
      replicas: 1,
      profile: false,
      version2: 'ocpp2.1',
    });
    expect(options.only).toContain('heartbeats');
    expect(options.only).toHaveLength(15);
  });

  it('names rows and columns', () => {
    const options = readOptions(['--only', 'idle', '--only', 'get', '--columns', '3,1', '--rounds', '1']);
    expect(options).toMatchObject({ only: ['idle', 'get'], columns: [1, 3], rounds: 1 });
  });

  it.each(VERSIONS_2)('175. gives the rows of OCPP 2.x the version %s, and no others', (version) => {
    const { version2 } = readOptions(['--ocpp', version.replace('ocpp', '')]);
    const versions = ROWS.flatMap(({ key, goals: { 1: goal } }) => {
      const named = goal && goalInVersion(goal, version2);
      return named?.kind === 'rate' ? [[key, named.load.version]] : [];
    });
    expect(Object.fromEntries(versions)).toEqual({
      heartbeats: 'ocpp1.6',
      statuses: 'ocpp1.6',
      'meter-values': 'ocpp1.6',
      'statuses-2': version,
      'transaction-events': version,
    });
  });

  it.each([
    [['--only', 'everything'], 'no row everything'],
    [['--columns', '4'], '--columns'],
    [['--columns', ''], '--columns'],
    [['--rounds', '0'], '--rounds'],
    [['--seconds', '61'], '--seconds'],
    [['--seconds', 'five'], '--seconds'],
    [['--replicas', '9'], '--replicas'],
    [['--ocpp', '1.6'], '--ocpp'],
    [['--fast'], '--fast'],
  ])('refuses %p in a sentence', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});

describe('the options of the bench of the console', () => {
  it('has the whole size and an hour by default', () => {
    expect(readConsoleOptions([])).toEqual({ part: 1, times: 10, liveMinutes: 60 });
    const args = ['--part', '0.02', '--times', '5', '--minutes', '1'];
    expect(readConsoleOptions(args)).toEqual({ part: 0.02, times: 5, liveMinutes: 1 });
  });

  it.each([
    [['--part', '2'], '--part'],
    [['--times', '4'], '--times'],
    [['--times', '101'], '--times'],
    [['--minutes', '0'], '--minutes'],
    [['--minutes', '241'], '--minutes'],
    [['--rounds', '1'], '--rounds'],
  ])('refuses %p in a sentence', (args, message) => {
    expect(() => readConsoleOptions(args)).toThrow(message);
  });
});
