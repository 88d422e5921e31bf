// Proxies as the controllers of Kubernetes configure them: ingress-nginx and HAProxy, which end TLS, and HAProxy as what a TLSRoute
// leads through, which passes TLS on unread.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort } from '@busbar/testing';
import { makeCertificate } from './certificate';

const NGINX = '/usr/sbin/nginx';
const HAPROXY = '/usr/sbin/haproxy';

/** A proxy that runs: `origin` is `127.0.0.1:PORT`. */
export interface Controller {
  readonly origin: string;
  stop(): Promise<void>;
}

/** The programs that the machine lacks for these; empty where it has all. */
export const controllersMissing = [NGINX, HAPROXY].filter((program) => !existsSync(program));

/**
 * The part of a server that ingress-nginx generates of an Ingress with pathType Prefix and the annotations proxy-read-timeout and
 * proxy-send-timeout. Its upstream is chosen by a script, which the address stands for here.
 */
export function startIngressNginx(upstream: string): Promise<Controller> {
  return start((directory, port) => {
    const location = (path: string): string => `location ${path} {
      proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_set_header X-Request-ID $request_id;
      proxy_set_header X-Real-IP $remote_addr;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Host $http_host;
      proxy_set_header X-Forwarded-Port $server_port;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-Scheme $scheme;
      proxy_set_header X-Scheme $scheme;
      proxy_set_header Proxy "";
      proxy_send_timeout 86400s;
      proxy_read_timeout 86400s;
      proxy_buffering off;
      proxy_request_buffering on;
      proxy_http_version 1.1;
      proxy_next_upstream error timeout;
      proxy_pass http://upstream_balancer;
      proxy_redirect off;
    }`;
    const locations = ['/ocpp', '/v2', '/api', '/console'].flatMap((path) => [
      location(`${path}/`),
      location(`= ${path}`),
    ]);
    writeFileSync(
      join(directory, 'nginx.conf'),
      `pid ${directory}/nginx.pid;
error_log stderr warn;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${directory}/${kind};`).join(' ')}
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  upstream upstream_balancer { server ${upstream}; keepalive 320; }
  server {
    listen 127.0.0.1:${String(port)} ssl http2;
    ssl_certificate ${directory}/cert.pem;
    ssl_certificate_key ${directory}/key.pem;
    ${locations.join('\n    ')}
  }
}
`,
    );
    return [NGINX, '-p', directory, '-c', join(directory, 'nginx.conf'), '-g', 'daemon off; master_process off;'];
  });
}

/** As HAProxy's controller does, with `timeout-tunnel: 1d`. */
export function startHaproxy(upstream: string): Promise<Controller> {
  return startHaproxyWith(
    (bind, directory) => `
frontend https
  mode http
  bind ${bind} ssl crt ${directory}/pair.pem alpn h2,http/1.1
  option forwardfor
  http-request set-header X-Forwarded-Proto https
  default_backend service
backend service
  mode http
  server pod ${upstream}
`,
  );
}

/** By connections, as a listener in mode Passthrough does. */
export function startPassthrough(upstream: string): Promise<Controller> {
  return startHaproxyWith(
    (bind) => `
frontend tls
  mode tcp
  bind ${bind}
  default_backend service
backend service
  mode tcp
  server pod ${upstream}
`,
  );
}

function startHaproxyWith(parts: (bind: string, directory: string) => string): Promise<Controller> {
  return start((directory, port) => {
    const pair = ['cert.pem', 'key.pem'].map((name) => readFileSync(join(directory, name), 'utf8'));
    writeFileSync(join(directory, 'pair.pem'), pair.join('\n'));
    writeFileSync(
      join(directory, 'haproxy.cfg'),
      `defaults
  timeout connect 5s
  timeout client 50s
  timeout server 50s
  timeout tunnel 1d
${parts(`127.0.0.1:${String(port)}`, directory)}`,
    );
    return [HAPROXY, '-db', '-f', join(directory, 'haproxy.cfg')];
  });
}

async function start(
  configure: (directory: string, port: number) => readonly [string, ...string[]],
): Promise<Controller> {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-controller-'));
  await makeCertificate(directory);
  const port = await freePort();
  const [program, ...args] = configure(directory, port);
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')));
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`the proxy ended: ${errors}`);
    return accepts(port);
  });
  return {
    origin: `127.0.0.1:${String(port)}`,
    async stop() {
      child.kill('SIGTERM');
      await exit;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
