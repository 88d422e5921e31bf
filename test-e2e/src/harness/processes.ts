// The five services as processes of their own, on a real RabbitMQ and a document server that this world has for itself.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDocumentServer, startRabbitServer, type PrivateServer } from '@busbar/testing';
import { makeCertificate } from './certificate';
import { startProgram, type Program } from './program';
import { createServedDocuments } from './served-documents';
import type { Addresses, OwnWorld } from './world';

const CLIENT_ID = 'e2e-client';
const API_KEY = 'e2e-key-0123456789abcdef';
const PARTS = ['charger-state', 'push', 'v2-api', 'legacy-api', 'ocpp-gateway'] as const;

export interface ProcessesWorld extends OwnWorld {
  readonly rabbit: PrivateServer;
  readonly documents: PrivateServer;
}

export type Part = (typeof PARTS)[number];
type Environment = Readonly<Record<string, string>>;

export async function openProcessesWorld(
  env: Environment = {},
  envOf: (part: Part) => Readonly<Record<string, string | undefined>> = () => ({}),
): Promise<ProcessesWorld> {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-e2e-'));
  const [rabbit, documents, pair] = await Promise.all([
    startRabbitServer(),
    startDocumentServer(),
    makeCertificate(directory),
  ]);
  const settings = {
    PORT: '0',
    INTERNAL_PORT: '0',
    HOST: '127.0.0.1',
    BROKER_URL: rabbit.url,
    STORE_URL: documents.url,
    TLS_CERT_FILE: pair.certFile,
    TLS_KEY_FILE: pair.keyFile,
    BOOTSTRAP_CLIENT_ID: CLIENT_ID,
    BOOTSTRAP_API_KEY: API_KEY,
    RATE_LIMIT_PER_KEY: '10000',
    RATE_LIMIT_PER_ADDRESS: '10000',
    DRAIN_S: '0',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...env,
  };
  let programs = begin();
  let addresses: Addresses;
  try {
    addresses = await addressesOf(programs);
  } catch (error) {
    await stopAll();
    throw error;
  }

  function begin(): ReadonlyMap<string, Program> {
    return new Map(PARTS.map((part) => [part, startProgram(part, defined({ ...settings, ...envOf(part) }))]));
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    await Promise.all([...programs.values()].map((program) => program.end(signal)));
  }

  async function stopAll(): Promise<void> {
    await end('SIGTERM');
    await Promise.all([rabbit.stop(), documents.stop()]);
    rmSync(directory, { recursive: true, force: true });
  }

  return {
    kind: 'four processes',
    clientId: CLIENT_ID,
    apiKey: API_KEY,
    served: createServedDocuments(),
    storeUrl: documents.url,
    brokerUrl: rabbit.url,
    rabbit,
    documents,
    addresses: () => addresses,
    program: (part) => programOf(programs, part === 'gateway' ? 'ocpp-gateway' : part),
    async restart(signal) {
      await end(signal);
      programs = begin();
      addresses = await addressesOf(programs);
    },
    stop: stopAll,
  };
}

async function addressesOf(programs: ReadonlyMap<string, Program>): Promise<Addresses> {
  const ports = await Promise.all(
    ['v2-api', 'legacy-api', 'ocpp-gateway'].map(
      async (part) => (await programOf(programs, part).bound('public')).port,
    ),
  );
  const [v2, api, ocpp] = ports.map((port) => `127.0.0.1:${String(port)}`) as [string, string, string];
  const metricsOf = async (program: Program): Promise<string> => {
    const { host, port } = await program.bound('internal');
    return `http://${host}:${String(port)}/metrics`;
  };
  await Promise.all([...programs.values()].map((program) => program.ready()));
  return {
    v2: `https://${v2}/v2`,
    api: `https://${api}/api`,
    ocpp: `wss://${ocpp}/ocpp/`,
    plain: { v2: `http://${v2}/v2`, api: `http://${api}/api` },
    gatewayMetrics: await metricsOf(programOf(programs, 'ocpp-gateway')),
    metrics: await Promise.all([...programs.values()].map(metricsOf)),
  };
}

/** Without the variables that a part removes. */
function defined(env: Readonly<Record<string, string | undefined>>): Environment {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function programOf(programs: ReadonlyMap<string, Program>, part: string): Program {
  const program = programs.get(part);
  if (program === undefined) throw new Error(`no ${part} runs`);
  return program;
}
