// The one-process mode as a person starts it: one program, one port, a data directory.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oneProcessEnv } from '@busbar/testing';
import { startProgram, type Program } from './program';
import { createServedDocuments } from './served-documents';
import type { Addresses, OwnWorld } from './world';

const CLIENT_ID = 'e2e-client';
const API_KEY = 'e2e-key-0123456789abcdef';

export async function openEmbeddedWorld(env: Readonly<Record<string, string>> = {}): Promise<OwnWorld> {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-e2e-'));
  let program = begin();
  let addresses = await addressesOf(program);

  function begin(): Program {
    return startProgram('all-in-one', {
      ...oneProcessEnv({ directory, clientId: CLIENT_ID, apiKey: API_KEY }),
      ...env,
    });
  }

  return {
    kind: 'one process',
    clientId: CLIENT_ID,
    apiKey: API_KEY,
    served: createServedDocuments(),
    storeUrl: `file:${directory}`,
    addresses: () => addresses,
    program: () => program,
    async restart(signal) {
      await program.end(signal);
      program = begin();
      addresses = await addressesOf(program);
    },
    async stop() {
      await program.end('SIGTERM');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function addressesOf(program: Program): Promise<Addresses> {
  const { port } = await program.bound('public');
  const internal = await program.bound('internal');
  await program.ready();
  const metrics = `http://${internal.host}:${String(internal.port)}/metrics`;
  const origin = `127.0.0.1:${String(port)}`;
  return {
    v2: `https://${origin}/v2`,
    api: `https://${origin}/api`,
    ocpp: `wss://${origin}/ocpp/`,
    plain: { v2: `http://${origin}/v2`, api: `http://${origin}/api` },
    gatewayMetrics: metrics,
    metrics: [metrics],
  };
}
