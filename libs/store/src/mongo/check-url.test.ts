import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createMongoStore } from './mongo-store';

const open = (options: string) =>
  createMongoStore({
    url: `mongodb://user:se?cret@127.0.0.1:1/busbar${options}`,
    logger: createRecordingLogger(),
    clock: systemClock,
  });

describe('the check of the MongoDB address', () => {
  it.each([
    ['readPreference=secondary', 'readPreference', 'reads must see acknowledged writes'],
    ['readPreference=secondaryPreferred', 'readPreference', 'only the primary shows at once'],
    ['tls=true&READPREFERENCE=nearest', 'READPREFERENCE', 'remove it, or set it to primary.'],
    ['readPreferenceTags=dc:ny', 'readPreferenceTags', 'so remove it.'],
    ['maxStalenessSeconds=120', 'maxStalenessSeconds', 'so remove it.'],
    ['readConcernLevel=available', 'readConcernLevel', 'local or majority or linearizable'],
    ['w=0', 'w', 'in the journals of a majority'],
    ['w=1', 'w', 'set it to majority.'],
    ['journal=false', 'journal', 'set it to true.'],
    ['j=false', 'j', 'set it to true.'],
    ['read%50reference=secondary', 'readPreference', 'reads must see'],
    ['tlsInsecure=true', 'tlsInsecure', 'an attacker must not be able to pose as MongoDB'],
    ['tls=true&tlsAllowInvalidCertificates=true', 'tlsAllowInvalidCertificates', 'STORE_CA_FILE'],
    ['TLSALLOWINVALIDHOSTNAMES=true', 'TLSALLOWINVALIDHOSTNAMES', 'set it to false.'],
  ])('rejects the option %s', (option, name, words) => {
    const creating = () => open(`?${option}`);
    expect(creating).toThrow(`STORE_URL sets ${name}: `);
    expect(creating).toThrow(words);
    expect(creating).not.toThrow('se?cret');
  });

  it.each([
    'db.example:27017',
    '10.0.0.1',
    'user:p%40ss@db.example',
    '127.0.0.1@db.example',
    'localhost.example:1',
    '[2001:db8::1]:1',
  ])('rejects directConnection for %s, which may read a secondary', (host) => {
    const url = `mongodb://${host}/busbar?directConnection=true`;
    const creating = () => createMongoStore({ url, logger: createRecordingLogger(), clock: systemClock });
    expect(creating).toThrow('STORE_URL sets directConnection: ');
    expect(creating).toThrow('only the primary shows at once');
    expect(creating).not.toThrow('p%40ss');
  });

  it.each(['127.0.0.1:1', 'localhost', 'user:se?cret@127.0.0.1:1', '[::1]:1'])(
    'accepts directConnection for a tunnel that ends at %s',
    (host) => {
      const url = `mongodb://${host}/busbar?directConnection=true`;
      expect(() => createMongoStore({ url, logger: createRecordingLogger(), clock: systemClock })).not.toThrow();
    },
  );

  it.each([
    '',
    '?tlsInsecure=false&tlsAllowInvalidCertificates=false&directConnection=false',
    '?readPreference=primary&w=majority&journal=true&readConcernLevel=majority&replicaSet=rs0',
  ])('accepts the options %j', (options) => {
    expect(() => open(options)).not.toThrow();
  });
});
