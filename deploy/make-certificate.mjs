// Makes a self-signed pair (cert.pem, key.pem) in a directory, unless there is one: for trying things out behind the proxy.
// A self-signed certificate that lacks a name is replaced; its key is kept, for chargers that pin it.
// Beside a self-signed pair lies self-signed.conf, by which the proxy sends no Strict-Transport-Security: a browser that was
// with HSTS accepts no exception for an untrusted certificate.
// Usage: node deploy/make-certificate.mjs DIRECTORY [NAME...]; the names and addresses of TLS_NAMES (a,b) are added.
import { createPublicKey, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { generate } from 'selfsigned';

const [directory, ...given] = process.argv.slice(2);
if (!directory) {
  console.error('Usage: node deploy/make-certificate.mjs DIRECTORY [NAME...]');
  process.exit(2);
}
const NAME = /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?$/i;
const added = (process.env.TLS_NAMES ?? '').split(',').map((name) => name.trim());
const names = [...new Set([...(given.length > 0 ? given : ['localhost']), '127.0.0.1', ...added.filter(Boolean)])];
const wrong = names.filter((name) => isIP(name) === 0 && !NAME.test(name));
if (wrong.length > 0) {
  console.error(`TLS_NAMES: ${wrong.join(', ')} is no host name or address. Write them as a.example.com,192.0.2.10`);
  process.exit(1);
}

const certificate = join(directory, 'cert.pem');
const key = join(directory, 'key.pem');
const withoutHsts = join(directory, 'self-signed.conf');
const isThere = existsSync(certificate) && existsSync(key);
const lacking = isThere ? lackingNames(new X509Certificate(readFileSync(certificate))) : names;
if (lacking.length === 0) {
  console.log(`${certificate} is there already`);
} else {
  await make(isThere ? readFileSync(key, 'utf8') : undefined);
  console.log(isThere ? `replaced ${certificate}, which lacked ${lacking.join(', ')}` : `made ${certificate}`);
}
followCertificate();

/** None for a certificate of an authority: the operator put it there. */
function lackingNames(present) {
  if (!present.checkIssued(present)) return [];
  return names.filter((name) => (isIP(name) === 0 ? !present.checkHost(name) : !present.checkIP(name)));
}

async function make(privateKey) {
  const pair = await generate([{ name: 'commonName', value: names[0] }], {
    keySize: 2048,
    notAfterDate: new Date(Date.now() + 3650 * 86_400_000),
    ...(privateKey === undefined ? {} : { keyPair: { privateKey, publicKey: publicKeyOf(privateKey) } }),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      {
        name: 'subjectAltName',
        altNames: names.map((name) => (isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name })),
      },
    ],
  });
  mkdirSync(directory, { recursive: true });
  if (privateKey === undefined) {
    // A file that was there keeps its mode.
    rmSync(key, { force: true });
    writeFileSync(key, pair.private, { mode: 0o600 });
  }
  writeFileSync(certificate, pair.cert);
}

function publicKeyOf(privateKey) {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
}

function followCertificate() {
  const own = new X509Certificate(readFileSync(certificate));
  if (own.checkIssued(own)) writeFileSync(withoutHsts, 'proxy_hide_header Strict-Transport-Security;\n');
  else rmSync(withoutHsts, { force: true });
}
