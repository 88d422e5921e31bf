// The proxy of the compose file: the real one, with the project's configuration, in front of addresses of this machine.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort } from '@busbar/testing';
import { makeCertificate } from './certificate';
import { http } from './http';

const NGINX = '/usr/sbin/nginx';
const CONFIGURATION = join(__dirname, '../../../deploy/proxy/nginx.conf');

export interface Proxy {
  readonly origin: string;
  /** Returns the status that its container's health check gets. */
  readyz(): Promise<number | undefined>;
  stop(): Promise<void>;
}

export const proxyFound = existsSync(NGINX);

/**
 * `upstreams`: what stands in the configuration (`ocpp-gateway:8080`) and what is there instead. `pair`: the certificate and
 * its key, PEM; a self-signed one otherwise.
 */
export async function startProxy(
  upstreams: Readonly<Record<string, string>>,
  pair?: { readonly cert: string; readonly key: string },
): Promise<Proxy> {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-proxy-'));
  const port = await freePort();
  if (pair !== undefined) {
    writeFileSync(join(directory, 'cert.pem'), pair.cert);
    writeFileSync(join(directory, 'key.pem'), pair.key);
  }
  await makeCertificate(directory);
  let text = readFileSync(CONFIGURATION, 'utf8')
    .replace('listen 8443 ssl', `listen 127.0.0.1:${String(port)} ssl`)
    .replaceAll('/tmp/', `${directory}/`)
    .replaceAll('/certs/', `${directory}/`);
  for (const [name, address] of Object.entries(upstreams)) {
    if (!text.includes(name)) throw new Error(`the configuration knows no ${name}`);
    text = text.replace(name, address);
  }
  const file = join(directory, 'nginx.conf');
  writeFileSync(file, text);
  const child = spawn(NGINX, ['-p', directory, '-c', file, '-g', 'daemon off; master_process off;'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')));
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const origin = `https://127.0.0.1:${String(port)}`;
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`the proxy ended: ${errors}`);
    return (await http(`${origin}/nowhere`)).status === 404;
  });
  return {
    origin,
    readyz: () =>
      new Promise((resolve, reject) => {
        const asked = get({ socketPath: join(directory, 'readyz.sock'), path: '/readyz' }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        asked.on('error', reject);
      }),
    async stop() {
      child.kill('SIGTERM');
      await exit;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
