// Makes a self-signed pair (cert.pem, key.pem) in a directory, unless there is one: for trying things out behind the proxy.
// Beside a self-signed pair lies self-signed.conf, by which the proxy sends no Strict-Transport-Security: a browser that was
// with HSTS accepts no exception for an untrusted certificate.
// Usage: node deploy/make-certificate.mjs DIRECTORY [HOSTNAME...]
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';

const [directory, ...names] = process.argv.slice(2);
if (!directory) {
  console.error('Usage: node deploy/make-certificate.mjs DIRECTORY [HOSTNAME...]');
  process.exit(2);
}
const certificate = join(directory, 'cert.pem');
const key = join(directory, 'key.pem');
const withoutHsts = join(directory, 'self-signed.conf');
if (existsSync(certificate) && existsSync(key)) {
  console.log(`${certificate} is there already`);
  followCertificate();
  process.exit(0);
}
const hosts = names.length > 0 ? names : ['localhost'];
const pair = await generate([{ name: 'commonName', value: hosts[0] }], {
  keySize: 2048,
  notAfterDate: new Date(Date.now() + 3650 * 86_400_000),
  extensions: [
    { name: 'basicConstraints', cA: false, critical: true },
    {
      name: 'subjectAltName',
      altNames: [...hosts.map((value) => ({ type: 2, value })), { type: 7, ip: '127.0.0.1' }],
    },
  ],
});
mkdirSync(directory, { recursive: true });
// A file that was there keeps its mode.
rmSync(key, { force: true });
writeFileSync(key, pair.private, { mode: 0o600 });
writeFileSync(certificate, pair.cert);
console.log(`made ${certificate}`);
followCertificate();

function followCertificate() {
  const own = new X509Certificate(readFileSync(certificate));
  if (own.checkIssued(own)) writeFileSync(withoutHsts, 'proxy_hide_header Strict-Transport-Security;\n');
  else rmSync(withoutHsts, { force: true });
}
