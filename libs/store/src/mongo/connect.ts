// Connects the driver, and describes why it failed.
import { createConnection } from 'mongoose';
import type { Connection, ConnectOptions, mongo } from 'mongoose';

import { AppError } from '@busbar/core';

import type { Address } from './check-url';
import { isAddressError, isCertificateError, isCredentialsError } from './errors';

const DATABASE = 'busbar';

// Retryable writes stay on (the default). With a replica set they carry a number by which the server detects repeated
// writes. The driver does not send them to a server without sessions.
const OPTIONS: ConnectOptions = {
  bufferCommands: false,
  autoIndex: false,
  autoCreate: false,
  ignoreUndefined: true,
  // Also the longest check of the server. A server that hangs for longer is unavailable, and its calls fail. A shorter
  // time would fail all calls in flight while a server or this process is busy.
  connectTimeoutMS: 5_000,
  socketTimeoutMS: 10_000,
  waitQueueTimeoutMS: 5_000,
  // The driver detects the loss or return of a server within this time: no calls probe it.
  heartbeatFrequencyMS: 1_000,
  maxPoolSize: 50,
  readPreference: 'primary',
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 10_000 },
};

export interface Dialling {
  /** Called before connecting, so that no event of the client is missed. */
  readonly attach: (client: mongo.MongoClient) => void;
  readonly withinMs: number;
}

/** Rejects with the driver's error. */
export async function connect(address: Address, { attach, withinMs }: Dialling): Promise<Connection> {
  const opening = createConnection();
  try {
    const connecting = opening.openUri(address.url, connectOptions(address, withinMs));
    // Undefined for an invalid address.
    const client = opening.getClient() as mongo.MongoClient | undefined;
    if (client) attach(client);
    await connecting;
    return opening;
  } catch (error) {
    await opening.destroy(true).catch(() => undefined);
    throw error;
  }
}

function connectOptions({ url, caFile }: Address, withinMs: number): ConnectOptions {
  const hasDatabase = /^mongodb(?:\+srv)?:\/\/[^/]+\/[^?]/.test(url);
  // A copy, since mongoose removes its own options.
  return {
    ...OPTIONS,
    serverSelectionTimeoutMS: withinMs,
    ...(hasDatabase ? {} : { dbName: DATABASE }),
    ...(caFile === undefined ? {} : { tls: true, tlsCAFile: caFile }),
  };
}

/** The error for the operator who starts the service. */
export function startFailure(url: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  if (isAddressError(cause)) {
    // Without the cause, which may quote the credentials.
    const example = 'mongodb://host:27017/busbar';
    return new AppError(
      'invalid_configuration',
      `STORE_URL is not an address of MongoDB: write for example ${example}.`,
    );
  }
  const shown = withoutCredentials(url);
  if (isCredentialsError(cause)) {
    return new AppError('unavailable', `MongoDB at ${shown} refuses the credentials in STORE_URL: correct them.`, {
      cause,
    });
  }
  if (isCertificateError(cause)) {
    const sentence = `The certificate of MongoDB at ${shown} is not trusted: set STORE_CA_FILE to the authority that signed it.`;
    return new AppError('unavailable', sentence, { cause });
  }
  return new AppError('unavailable', `MongoDB at ${shown} does not answer: start it, or correct STORE_URL.`, { cause });
}

function withoutCredentials(url: string): string {
  // Up to the last @ before the path: a password may contain one.
  return url.replace(/^(mongodb(?:\+srv)?:\/\/)[^/?]*@/, '$1').replace(/\?.*$/, '');
}
