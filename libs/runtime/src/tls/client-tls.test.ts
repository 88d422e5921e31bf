import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority, type IssuedCertificate } from '@busbar/testing';
import { brokerTlsFrom, storeCaFileFrom, type ClientTlsFiles } from './client-tls';

const AMQPS = 'amqps://rabbit.example';
const MONGODB = 'mongodb://mongo.example';

describe('the files for connections to RabbitMQ and MongoDB', () => {
  let directory: string;
  let authority: string;
  let pair: IssuedCertificate;
  const file = (name: string): string => join(directory, name);

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-client-tls-'));
    const maker = await createAuthority('Test authority');
    authority = maker.cert;
    pair = await maker.issue('busbar');
    const other = await maker.issue('other');
    const files = { ca: authority, cert: pair.cert, key: pair.key, other: other.key, garbage: 'no certificate' };
    for (const [name, content] of Object.entries(files)) writeFileSync(file(name), content);
  });

  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  it('reads none where none is named', () => {
    expect(brokerTlsFrom('memory:', {})).toBeUndefined();
    expect(storeCaFileFrom('file:./data', {})).toBeUndefined();
  });

  it('reads them for each connection', () => {
    const changing = file('changing');
    writeFileSync(changing, pair.cert);
    const files = { brokerCaFile: file('ca'), brokerCertFile: changing, brokerKeyFile: file('key') };
    const read = brokerTlsFrom(AMQPS, files);
    expect(read?.()).toMatchObject({ ca: [authority.trim()], cert: pair.cert, key: pair.key });
    writeFileSync(changing, `renewed\n${pair.cert}`);
    expect(read?.()).toMatchObject({ cert: `renewed\n${pair.cert}` });
    expect(storeCaFileFrom(MONGODB, { storeCaFile: file('ca') })).toBe(file('ca'));
  });

  it.each([
    {
      what: 'without TLS in the address of RabbitMQ',
      names: { brokerCaFile: 'ca' },
      url: 'amqp://rabbit.example',
      sentence:
        'BROKER_CA_FILE is set and BROKER_URL does not begin with amqps://: set an amqps:// URL, or remove BROKER_CA_FILE.',
    },
    {
      what: 'of a certificate alone',
      names: { brokerCertFile: 'cert' },
      sentence: 'BROKER_CERT_FILE is set without BROKER_KEY_FILE: set both.',
    },
    {
      what: 'of a key alone',
      names: { brokerKeyFile: 'key' },
      sentence: 'BROKER_KEY_FILE is set without BROKER_CERT_FILE: set both.',
    },
    { what: 'that are not there', names: { brokerCaFile: 'none' }, sentence: 'BROKER_CA_FILE names ' },
    {
      what: 'that hold no certificate',
      names: { brokerCaFile: 'garbage' },
      sentence: 'which holds no certificate in PEM form: correct it.',
    },
    {
      what: 'of two pairs',
      names: { brokerCertFile: 'cert', brokerKeyFile: 'other' },
      sentence: 'which does not belong to the certificate in ',
    },
  ])('refuses files $what', ({ names, sentence, url = AMQPS }) => {
    const files: ClientTlsFiles = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, file(name)]));
    expect(() => brokerTlsFrom(url, files)).toThrow(sentence);
  });

  it('refuses them for the store where they hold no certificate, or the store is no MongoDB', () => {
    const read = (url: string, name: string) => () => storeCaFileFrom(url, { storeCaFile: file(name) });
    expect(read(MONGODB, 'garbage')).toThrow('which holds no certificate in PEM form: correct it.');
    expect(read(MONGODB, 'none')).toThrow(/^STORE_CA_FILE names .* cannot be read \(ENOENT\)/);
    expect(read('file:./data', 'ca')).toThrow('STORE_CA_FILE is set and STORE_URL is not of MongoDB');
  });
});
