// Certificates of ISO 15118: responds to gateways with contracts of the contract provider and with the status of certificates.
import { readFileSync } from 'node:fs';
import type { Broker, Subscription } from '@busbar/broker';
import { channels, type CertificateFinding, type CertificateRequest } from '@busbar/contracts';
import { AppError, type Clock, type Logger, type Service } from '@busbar/core';
import type { Egress } from '@busbar/runtime';
import type { PushSettings } from '../config';
import { createContractProvider, type ContractProvider } from './contract-provider';
import type { StatusChecks } from './status-checks';

export interface CertificateServiceDeps {
  readonly broker: Pick<Broker, 'respond'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: Pick<
    PushSettings,
    'contractProviderAuthorization' | 'contractProviderUrl' | 'contractRootsFile' | 'ocsp'
  >;
  /** Towards servers that the operator names. */
  readonly openEgress: () => Promise<Egress>;
  /** Towards responders that chargers name. */
  readonly openResponderEgress: () => Promise<Egress>;
  readonly responderTimeoutMs?: number;
}

const NONE: CertificateFinding = { kind: 'none' };

/** Its start rejects with `invalid_configuration` where CONTRACT_ROOTS_FILE cannot be used. */
export function createCertificateService(deps: CertificateServiceDeps): Service {
  const opened: Egress[] = [];
  let subscription: Subscription | undefined;

  async function open(openOne: () => Promise<Egress>): Promise<Egress> {
    const egress = await openOne();
    opened.push(egress);
    return egress;
  }

  async function openContracts(): Promise<ContractProvider | undefined> {
    const { contractProviderUrl: url, contractProviderAuthorization: authorization } = deps.settings;
    if (url === undefined) return undefined;
    return createContractProvider({ ...deps, url, authorization, egress: await open(deps.openEgress) });
  }

  /** The libraries for it are loaded only where they are used. */
  async function openStatuses(): Promise<StatusChecks | undefined> {
    const { ocsp, contractRootsFile } = deps.settings;
    if (ocsp !== 'on') return undefined;
    const { createStatusChecks } = await import('./status-checks.js');
    const roots = contractRootsFile === undefined ? undefined : readRoots(contractRootsFile);
    return createStatusChecks({ ...deps, roots, egress: await open(deps.openResponderEgress) });
  }

  return {
    name: 'certificates of ISO 15118',
    async start() {
      if (subscription !== undefined) return;
      const contracts = await openContracts();
      const statuses = await openStatuses();
      subscription = await deps.broker.respond(channels.certificateChecks, '', (request) =>
        find(request, contracts, statuses),
      );
    },
    async stop() {
      await subscription?.close();
      subscription = undefined;
      for (const egress of opened.splice(0)) await egress.close();
    },
    ready: () => subscription !== undefined,
  };
}

async function find(
  { question, ...request }: CertificateRequest,
  contracts: ContractProvider | undefined,
  statuses: StatusChecks | undefined,
): Promise<CertificateFinding> {
  if (question.kind === 'contract') return (await contracts?.(request, question)) ?? NONE;
  if (statuses === undefined) return NONE;
  switch (question.kind) {
    case 'response':
      return statuses.response(question.certificate);
    case 'statuses':
      return statuses.statuses(question.certificates);
    case 'trust':
      return statuses.trust(question);
  }
}

function readRoots(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new AppError(
      'invalid_configuration',
      `CONTRACT_ROOTS_FILE names ${file}, which cannot be read: correct it.`,
      { cause },
    );
  }
}
