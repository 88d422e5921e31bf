// A key of OpenPGP (RFC 4880) as Helm reads it from a keyring, made without gpg: an RSA key, a name, and its signature over both.
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

const RSA_BITS = 2048;
const RSA = 1;
const SHA_256 = 8;
const VERSION = 4;
const CERTIFICATION = 0x13;
const TAG = { signature: 2, secretKey: 5, publicKey: 6, userId: 13 } as const;
const SUBPACKET = { created: 2, issuer: 16, keyFlags: 27 } as const;
const CERTIFY_AND_SIGN = 0x03;

export interface Keyrings {
  readonly secret: Buffer;
  readonly public: Buffer;
}

/** A new key without a passphrase, as a keyring that signs and one that verifies. */
export function newKey(name: string, created = new Date()): Keyrings {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: RSA_BITS });
  const { n, e, d, p, q, qi } = privateKey.export({ format: 'jwk' });
  const createdS = uint32(Math.floor(created.getTime() / 1000));
  const publicBody = Buffer.concat([Buffer.of(VERSION), createdS, Buffer.of(RSA), integer(n), integer(e)]);
  // Its last number is the inverse of the first prime modulo the second, so the primes change places.
  const secrets = Buffer.concat([integer(d), integer(q), integer(p), integer(qi)]);
  const unencrypted = Buffer.of(0);
  const secretBody = Buffer.concat([
    publicBody,
    unencrypted,
    secrets,
    uint16(secrets.reduce((sum, byte) => sum + byte, 0)),
  ]);
  const userId = Buffer.from(name);
  const certificate = [
    packet(TAG.userId, userId),
    packet(TAG.signature, certification({ privateKey, publicBody, userId, createdS })),
  ];
  return {
    secret: Buffer.concat([packet(TAG.secretKey, secretBody), ...certificate]),
    public: Buffer.concat([packet(TAG.publicKey, publicBody), ...certificate]),
  };
}

interface Certified {
  readonly privateKey: KeyObject;
  readonly publicBody: Buffer;
  readonly userId: Buffer;
  readonly createdS: Buffer;
}

/** That this key has this name, and may sign. */
function certification({ privateKey, publicBody, userId, createdS }: Certified): Buffer {
  const key = Buffer.concat([Buffer.of(0x99), uint16(publicBody.length), publicBody]);
  const hashed = Buffer.concat([
    subpacket(SUBPACKET.created, createdS),
    subpacket(SUBPACKET.keyFlags, Buffer.of(CERTIFY_AND_SIGN)),
  ]);
  const keyId = createHash('sha1').update(key).digest().subarray(-8);
  const unhashed = subpacket(SUBPACKET.issuer, keyId);
  const head = Buffer.concat([Buffer.of(VERSION, CERTIFICATION, RSA, SHA_256), uint16(hashed.length), hashed]);
  const signed = Buffer.concat([
    key,
    Buffer.concat([Buffer.of(0xb4), uint32(userId.length), userId]),
    head,
    Buffer.concat([Buffer.of(VERSION, 0xff), uint32(head.length)]),
  ]);
  const start = createHash('sha256').update(signed).digest().subarray(0, 2);
  return Buffer.concat([head, uint16(unhashed.length), unhashed, start, number(sign('sha256', signed, privateKey))]);
}

function packet(tag: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0xc0 | tag, 0xff), uint32(body.length), body]);
}

function subpacket(type: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.of(body.length + 1, type), body]);
}

function integer(base64url: string | undefined): Buffer {
  return number(Buffer.from(base64url ?? '', 'base64url'));
}

/** With its length in bits, and without zeros in front. */
function number(bytes: Buffer): Buffer {
  const digits = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  const bits = digits.length * 8 - Math.clz32(digits[0] ?? 0) + 24;
  return Buffer.concat([uint16(bits), digits]);
}

function uint16(value: number): Buffer {
  return Buffer.of((value >> 8) & 0xff, value & 0xff);
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}
