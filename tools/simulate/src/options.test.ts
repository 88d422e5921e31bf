import { readOptions } from './options';

test('without options: ten chargers that live through a day on the running one-process mode', () => {
  expect(readOptions([], {})).toEqual({
    chargers: 10,
    url: undefined,
    register: false,
    client: undefined,
    scenario: 'day',
    prefix: 'SIM',
    durationS: 0,
    wantsHelp: false,
  });
});

test('every option is taken', () => {
  const args =
    '--chargers 500 --url wss://host:8443/ocpp --register --client acme --scenario storm --prefix X --duration 60';
  expect(readOptions(args.split(' '), { BOOTSTRAP_CLIENT_ID: 'other' })).toMatchObject({
    chargers: 500,
    url: 'wss://host:8443/ocpp/',
    register: true,
    client: 'acme',
    scenario: 'storm',
    prefix: 'X',
    durationS: 60,
  });
});

test('the bootstrap client is the default', () => {
  expect(readOptions([], { BOOTSTRAP_CLIENT_ID: 'acme' }).client).toBe('acme');
});

test.each([
  ['--chargers 0', '--chargers is a whole number from 1 to 10000.'],
  ['--chargers 1e3', '--chargers is a whole number'],
  ['--url https://host/', '--url is a websocket address'],
  ['--url wss://', '--url is a websocket address'],
  ['--scenario night', '--scenario is one of idle, day, storm.'],
  ['--prefix a/b', '--prefix has 1 to 32'],
  ['--duration -1', '--duration'],
  ['--what', "Unknown option '--what'"],
  ['surplus', 'surplus'],
])('%s is refused in a sentence', (line, sentence) => {
  expect(() => readOptions(line.split(' '), {})).toThrow(sentence);
});
