// Authorities and client certificates for the connections to RabbitMQ and MongoDB.
import type { AmqpTls } from '@busbar/broker';
import { AppError } from '@busbar/core';
import { readAuthorities, readPair } from '@busbar/http';

/** Named as the settings that hold the paths. */
export interface ClientTlsFiles {
  readonly brokerCaFile?: string | undefined;
  readonly brokerCertFile?: string | undefined;
  readonly brokerKeyFile?: string | undefined;
  readonly storeCaFile?: string | undefined;
}

/**
 * Returns a function that reads the files for each connection to RabbitMQ, so that renewed certificates are used. Undefined
 * without files. Throws `invalid_configuration` for invalid files and for a URL without TLS.
 */
export function brokerTlsFrom(url: string, files: ClientTlsFiles): (() => AmqpTls) | undefined {
  const { brokerCaFile: ca, brokerCertFile: cert, brokerKeyFile: key } = files;
  const given = Object.entries({ BROKER_CA_FILE: ca, BROKER_CERT_FILE: cert, BROKER_KEY_FILE: key });
  const first = given.find(([, file]) => file !== undefined)?.[0];
  if (first === undefined) return undefined;
  if (!url.startsWith('amqps:')) {
    throw invalid(
      `${first} is set and BROKER_URL does not begin with amqps://: set an amqps:// URL, or remove ${first}.`,
    );
  }
  if (cert !== undefined && key === undefined)
    throw invalid('BROKER_CERT_FILE is set without BROKER_KEY_FILE: set both.');
  if (key !== undefined && cert === undefined)
    throw invalid('BROKER_KEY_FILE is set without BROKER_CERT_FILE: set both.');
  const read = (): AmqpTls => ({
    ...(ca === undefined ? {} : readAuthorities({ path: ca, variable: 'BROKER_CA_FILE' })),
    ...(cert === undefined || key === undefined
      ? {}
      : readPair({ path: cert, variable: 'BROKER_CERT_FILE' }, { path: key, variable: 'BROKER_KEY_FILE' })),
  });
  read();
  return read;
}

/** Checks the file of authorities and that the URL is MongoDB's. Throws `invalid_configuration`. */
export function storeCaFileFrom(url: string, { storeCaFile }: ClientTlsFiles): string | undefined {
  if (storeCaFile === undefined) return undefined;
  if (!url.startsWith('mongodb')) {
    throw invalid(
      'STORE_CA_FILE is set and STORE_URL is not of MongoDB: set a mongodb:// URL, or remove STORE_CA_FILE.',
    );
  }
  readAuthorities({ path: storeCaFile, variable: 'STORE_CA_FILE' });
  return storeCaFile;
}

function invalid(sentence: string): AppError {
  return new AppError('invalid_configuration', sentence);
}
