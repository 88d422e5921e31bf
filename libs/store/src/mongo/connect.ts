// One connection of the driver, and what is said when there is none to be had.
import { createConnection } from 'mongoose';
import type { Connection, ConnectOptions, mongo } from 'mongoose';

import { AppError } from '@busbar/core';

import type { Address } from './check-url';
import { isAddressError, isCertificateError, isCredentialsError } from './errors';

const DATABASE = 'busbar';

// Retryable writes stay on, as the driver has them by default: with a replica set they carry a number that keeps the
// server from applying a repeated write twice, and to a server without sessions (a single one, the stand-in) the driver
// does not send them.
const OPTIONS: ConnectOptions = {
  bufferCommands: false,
  autoIndex: false,
  autoCreate: false,
  ignoreUndefined: true,
  serverSelectionTimeoutMS: 2_000,
  // Also how long a check of the server may take: one that stands still for longer is away, and what was asked of it fails.
  // No less: a server, or this process, that is busy for a moment would fail everything that is under way.
  connectTimeoutMS: 5_000,
  socketTimeoutMS: 10_000,
  waitQueueTimeoutMS: 5_000,
  // How soon a server that is silent or back again is noticed: nothing asks for it while it is away.
  heartbeatFrequencyMS: 1_000,
  maxPoolSize: 50,
  readPreference: 'primary',
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 10_000 },
};

/** `attach` is called before it connects, so that no event of the client is missed. Rejects with what the driver said. */
export async function connect(address: Address, attach: (client: mongo.MongoClient) => void): Promise<Connection> {
  const opening = createConnection();
  try {
    const connecting = opening.openUri(address.url, connectOptions(address));
    // Not there when the address is none.
    const client = opening.getClient() as mongo.MongoClient | undefined;
    if (client) attach(client);
    await connecting;
    return opening;
  } catch (error) {
    await opening.destroy(true).catch(() => undefined);
    throw error;
  }
}

function connectOptions({ url, caFile }: Address): ConnectOptions {
  const hasDatabase = /^mongodb(?:\+srv)?:\/\/[^/]+\/[^?]/.test(url);
  // A copy: mongoose takes out of it what is its own.
  return {
    ...OPTIONS,
    ...(hasDatabase ? {} : { dbName: DATABASE }),
    ...(caFile === undefined ? {} : { tls: true, tlsCAFile: caFile }),
  };
}

/** What a person is told who starts the service. */
export function startFailure(url: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  if (isAddressError(cause)) {
    // Without the cause, which may quote the credentials.
    const example = 'mongodb://host:27017/busbar';
    return new AppError('invalid_configuration', `STORE_URL is no address of MongoDB: write for example ${example}.`);
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
  // Up to the last @ before the path: a password may hold one.
  return url.replace(/^(mongodb(?:\+srv)?:\/\/)[^/?]*@/, '$1').replace(/\?.*$/, '');
}
