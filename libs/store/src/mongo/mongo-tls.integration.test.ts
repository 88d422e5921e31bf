import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createAuthority,
  createRecordingLogger,
  describeWithDocumentServer,
  startTlsFront,
  type TlsFront,
} from '@busbar/testing';
import { createMongoStore } from './mongo-store';

describeWithDocumentServer('a store on a MongoDB with TLS', (server) => {
  let directory: string;
  let front: TlsFront;
  let url: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-mongo-tls-'));
    const authority = await createAuthority('Test authority');
    writeFileSync(join(directory, 'ca.pem'), authority.cert);
    writeFileSync(join(directory, 'other.pem'), (await createAuthority('Another')).cert);
    const { hostname, port, pathname } = new URL(server().url);
    const pair = await authority.issue('mongo', { addresses: ['127.0.0.1'] });
    front = await startTlsFront(pair, { host: hostname, port: Number(port) });
    url = `mongodb://127.0.0.1:${String(front.port)}${pathname}?directConnection=true`;
  });

  afterAll(async () => {
    await front.close();
    rmSync(directory, { recursive: true });
  });

  const open = (name?: string, options = '') =>
    createMongoStore({
      url: `${url}${options}`,
      logger: createRecordingLogger(),
      ...(name === undefined ? {} : { caFile: join(directory, name) }),
    });

  it('connects with the authority that signed the certificate', async () => {
    const store = open('ca.pem');
    await store.start();
    expect(store.ready()).toBe(true);
    await store.stop();
  });

  it.each([
    ['another authority', 'other.pem', ''],
    ['public authorities alone', undefined, '&tls=true'],
  ])('rejects a start with %s, and names the variable', async (_what, name, options) => {
    const store = open(name, options);
    await expect(store.start()).rejects.toThrow(
      /^The certificate of MongoDB at \S+ is not trusted: set STORE_CA_FILE to the authority that signed it\.$/,
    );
    await store.stop();
  });

  it('rejects an address that disables TLS beside an authority', () => {
    expect(() => open('ca.pem', '&tls=false')).toThrow('STORE_CA_FILE is set and STORE_URL turns TLS off');
  });
});
