// The servers that a world stands on, which it has for itself.
import { findDocumentServer, findRabbitServer, startDocumentServer, startRabbitServer } from '@busbar/testing';
import type { PrivateServer } from '@busbar/testing';
import type { Resources } from '../processes/resources';
import type { Column } from './world';

export interface Servers {
  readonly rabbit: PrivateServer | undefined;
  readonly documents: PrivateServer | undefined;
  stop(): Promise<void>;
}

/** Returns what a column lacks on this machine; undefined when it can be measured. */
export function missingFor(column: Column): string | undefined {
  const needed = [...(column === 1 ? [] : [findRabbitServer()]), ...(column === 3 ? [findDocumentServer()] : [])];
  return needed.find(({ source }) => source === 'none')?.reported;
}

/** Returns the servers of a column, for the table. */
export function serversOf(column: Column): string[] {
  return [...(column === 1 ? [] : [findRabbitServer().reported]), ...(column === 3 ? [describeDocuments()] : [])];
}

export async function startServers(column: Column, resources: Resources): Promise<Servers> {
  const hold = async (server: Promise<PrivateServer>) => resources.hold(await server, (held) => held.stop());
  const rabbit = column === 1 ? undefined : await hold(startRabbitServer());
  // Syncs nothing, where it is the stand-in: that one is slower than any server that somebody would run.
  const documents = column === 3 ? await hold(startDocumentServer({ storage: 'benchmark' })) : undefined;
  return {
    rabbit: rabbit?.value,
    documents: documents?.value,
    async stop() {
      await Promise.all([rabbit?.release(), documents?.release()]);
    },
  };
}

function describeDocuments(): string {
  const { reported } = findDocumentServer();
  return reported.includes('stand-in') ? `${reported}, its memory backend: nothing is synced to disk` : reported;
}
