import { createId } from '@busbar/core';

import { containerEngineAnswers } from './container-engine';
import {
  mongodAnswers,
  standInMisses,
  startMongod,
  startStandIn,
  type DocumentServerOptions,
} from './document-server-program';
import { fixedServer } from './fixed-server';
import type { PrivateServer, ServerFinding } from './private-server';

const IMAGE = 'mongo:8';
const PORT = 27_017;

/**
 * Where a document server for tests would come from: `TEST_MONGODB_URL`, a container engine, `mongod` on this machine,
 * the stand-in for it where there is Java.
 */
export function findDocumentServer(): ServerFinding {
  if (process.env['TEST_MONGODB_URL']) {
    return { source: 'url', reported: 'MongoDB: the server that TEST_MONGODB_URL names' };
  }
  if (containerEngineAnswers()) return { source: 'container', reported: `MongoDB: a container of ${IMAGE}` };
  if (mongodAnswers()) return { source: 'program', reported: 'MongoDB: mongod, started privately' };
  const missing = standInMisses();
  if (missing === undefined) {
    return { source: 'program', reported: 'MongoDB: its stand-in (mongo-java-server), started privately' };
  }
  return {
    source: 'none',
    reported: `MongoDB: none (set TEST_MONGODB_URL, or install a container engine, mongod, or for the stand-in ${missing})`,
  };
}

/**
 * Starts what `findDocumentServer` found; resolves when it accepts connections. The URL names a database that nobody
 * used before. Rejects when there is no server.
 */
export async function startDocumentServer(options: DocumentServerOptions = {}): Promise<PrivateServer> {
  const { source, reported } = findDocumentServer();
  const database = `busbar_${createId().toLowerCase()}`;
  if (source === 'url') return fixedServer(withDatabase(process.env['TEST_MONGODB_URL'] ?? '', database));
  if (source === 'container') return startContainer(database);
  if (source === 'none') throw new Error(reported);
  return mongodAnswers() ? startMongod(database) : startStandIn(database, options);
}

function withDatabase(url: string, database: string): string {
  const [, hosts, query] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)[^?]*(\?.*)?$/.exec(url) ?? [];
  if (hosts === undefined) throw new Error('TEST_MONGODB_URL is not a mongodb:// address');
  return `${hosts}/${database}${query ?? ''}`;
}

async function startContainer(database: string): Promise<PrivateServer> {
  // Only here: it takes its time to load, and most machines that test do so without an engine.
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer(IMAGE)
    .withExposedPorts(PORT)
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  const url = `mongodb://${container.getHost()}:${String(container.getMappedPort(PORT))}/${database}`;
  return fixedServer(url, async () => {
    await container.stop();
  });
}
