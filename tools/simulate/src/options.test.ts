import { readOptions, USAGE } from './options';

it('has chargers that live through a day on the running one-process mode without options', () => {
  expect(readOptions([], {})).toEqual({
    chargers: undefined,
    sockets: 2,
    versions: ['ocpp1.6'],
    url: undefined,
    api: undefined,
    register: false,
    key: undefined,
    client: undefined,
    password: undefined,
    caFile: undefined,
    isInsecure: false,
    scenario: { behaviour: 'day' },
    prefix: 'SIM',
    durationS: 0,
    trace: undefined,
    keepSessions: false,
    receiver: undefined,
    wants: 'run',
  });
});

it('takes every option', () => {
  const args =
    '--chargers 500 --sockets 4 --url wss://host:8443/ocpp --api https://host/v2 --register --key k --client acme ' +
    '--ocpp 2.0.1 --password longenough --ca ca.pem --insecure --scenario storm --prefix X --duration 60 --trace X_1 --keep-sessions';
  expect(readOptions(args.split(' '), { BOOTSTRAP_CLIENT_ID: 'other', API_KEY: 'other' })).toEqual({
    chargers: 500,
    sockets: 4,
    versions: ['ocpp2.0.1'],
    url: 'wss://host:8443/ocpp/',
    api: 'https://host',
    register: true,
    key: 'k',
    client: 'acme',
    password: 'longenough',
    caFile: 'ca.pem',
    isInsecure: true,
    scenario: { behaviour: 'storm' },
    prefix: 'X',
    durationS: 60,
    trace: 'X_1',
    keepSessions: true,
    receiver: undefined,
    wants: 'run',
  });
});

it('lists every option in the help', () => {
  for (const option of [
    'chargers',
    'sockets',
    'ocpp',
    'url',
    'api',
    'register',
    'key',
    'client',
    'password',
    'ca',
    'insecure',
    'receiver',
    'port',
    'secret',
  ]) {
    expect(USAGE).toContain(`--${option}`);
  }
  for (const option of ['scenario', 'prefix', 'duration', 'trace', 'keep-sessions', 'help', 'version']) {
    expect(USAGE).toContain(`--${option}`);
  }
});

it.each([
  ['--trace', '*'],
  ['--trace --register', '*'],
  ['--trace SIM_2 --register', 'SIM_2'],
  ['--trace=SIM_2', 'SIM_2'],
  ['--register', undefined],
])('traces with %s the chargers %s', (line, trace) => {
  expect(readOptions(line.split(' '), {}).trace).toBe(trace);
});

it.each([
  ['--help', 'help'],
  ['-h', 'help'],
  ['--version', 'version'],
])('reads %s as %s', (line, wants) => {
  expect(readOptions([line], {}).wants).toBe(wants);
});

it('accepts a file as a scenario', () => {
  expect(readOptions(['--scenario', 'a/b.yaml'], {}).scenario).toEqual({ file: 'a/b.yaml' });
});

it('uses the bootstrap client by default, and the variable API_KEY for a named service', () => {
  const env = { BOOTSTRAP_CLIENT_ID: 'acme', API_KEY: 'k' };
  expect(readOptions([], env)).toMatchObject({ client: 'acme', key: undefined });
  expect(readOptions(['--url', 'wss://host/'], env).key).toBe('k');
});

it.each([
  ['--chargers 0', '--chargers is a whole number from 1 to 10000.'],
  ['--chargers 1e3', '--chargers is a whole number'],
  ['--sockets 17', '--sockets is a whole number from 1 to 16.'],
  ['--url https://host/', '--url is a websocket address'],
  ['--url wss://', '--url is a websocket address'],
  ['--api wss://host', '--api is an address such as'],
  ['--password short', '--password has 8 to 40 characters.'],
  ['--scenario night', '--scenario is one of idle, day, storm, or a file that ends in .yaml, .yml or .json.'],
  ['--prefix a/b', '--prefix has 1 to 32'],
  ['--duration -1', '--duration'],
  ['--what', "Unknown option '--what'"],
  ['surplus', 'surplus'],
])('refuses %s in a sentence', (line, sentence) => {
  expect(() => readOptions(line.split(' '), {})).toThrow(sentence);
});

it('takes a receiver of webhooks in place of chargers', () => {
  expect(readOptions(['--receiver'], {}).receiver).toEqual({ port: 8080, secret: undefined });
  const args = ['--receiver', '--port', '0', '--secret', 'whsec_x'];
  expect(readOptions(args, {}).receiver).toEqual({ port: 0, secret: 'whsec_x' });
});

it.each([
  [['--port', '8080'], '--port and --secret are options of --receiver.'],
  [['--secret', 'whsec_x'], '--port and --secret are options of --receiver.'],
  [['--receiver', '--port', '65536'], '--port is a whole number from 0 to 65535.'],
])('rejects %j', (args, sentence) => {
  expect(() => readOptions(args, {})).toThrow(sentence);
});

it.each([
  ['1.6', ['ocpp1.6']],
  ['2.0.1', ['ocpp2.0.1']],
  ['2.1', ['ocpp2.1']],
  ['mixed', ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1']],
])('175. has chargers of the versions that --ocpp %s names', (text, versions) => {
  expect(readOptions(['--ocpp', text], {}).versions).toEqual(versions);
});

it('refuses another version of OCPP', () => {
  expect(() => readOptions(['--ocpp', '2.0'], {})).toThrow('--ocpp is one of 1.6, 2.0.1, 2.1, mixed.');
});
