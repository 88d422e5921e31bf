// Passes a vehicle's request for a contract certificate to the contract provider of the operator (docs/iso-15118.md). There is no retry: a
// vehicle waits.
import type { CertificateFinding, CertificateQuestion, CertificateRequest } from '@busbar/contracts';
import type { Clock, Logger } from '@busbar/core';
import { EgressError, type Egress } from '@busbar/runtime';
import { createServerCircuit } from '../circuit';

export interface ContractProviderDeps {
  readonly url: string;
  /** The value of the header Authorization. */
  readonly authorization: string | undefined;
  readonly egress: Pick<Egress, 'send'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

type ContractQuestion = Extract<CertificateQuestion, { kind: 'contract' }>;
export type ContractProvider = (
  request: Omit<CertificateRequest, 'question'>,
  question: ContractQuestion,
) => Promise<CertificateFinding>;

const TIMEOUT_MS = 5_000;
const MAX_RESPONSE_BYTES = 32_768;
/** The response of the vehicle has room for so many characters in OCPP 2.1; the charger's version may have less. */
const MAX_EXI_CHARACTERS = 17_000;
const MAX_IN_FLIGHT = 64;
const NONE: CertificateFinding = { kind: 'none' };

/** Returns a function that never rejects: without an answer, or with one that cannot be used, it finds `none`. */
export function createContractProvider(deps: ContractProviderDeps): ContractProvider {
  const { clock, logger } = deps;
  const circuit = createServerCircuit({
    clock,
    maxInFlight: MAX_IN_FLIGHT,
    onChange(isBroken) {
      if (isBroken) logger.warn({}, 'the contract provider keeps failing');
      else logger.info({}, 'the contract provider answers again');
    },
  });
  return async (request, question) => {
    const asked = await circuit.run(
      () => ask(deps, request, question),
      ({ isSuccess }) => isSuccess,
    );
    if (typeof asked !== 'string' && asked.contract !== undefined) return asked.contract;
    const reason = typeof asked === 'string' ? asked : asked.reason;
    logger.info({ chargerId: request.chargerId, reason }, 'the contract provider gave no contract');
    return NONE;
  };
}

interface Asked {
  /** Whether the provider works: it may refuse what a charger sends. */
  readonly isSuccess: boolean;
  readonly contract?: CertificateFinding;
  /** Why there is no contract. */
  readonly reason?: string;
}

async function ask(
  { url, authorization, egress }: ContractProviderDeps,
  { chargerId, ocppVersion }: Omit<CertificateRequest, 'question'>,
  { schemaVersion, action, exiRequest, maxContracts, contractIds }: ContractQuestion,
): Promise<Asked> {
  const body = {
    chargerId,
    ocppVersion,
    iso15118SchemaVersion: schemaVersion,
    action,
    exiRequest,
    maximumContractCertificateChains: maxContracts,
    prioritizedEMAIDs: contractIds,
  };
  try {
    const response = await egress.send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
      body: JSON.stringify(body),
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    });
    const { status, body: answer, truncated } = response;
    if (status !== 200) return { isSuccess: status < 500, reason: `http_${String(status)}` };
    return { isSuccess: true, ...(truncated ? { reason: 'too_large' } : contractIn(answer.toString('utf8'))) };
  } catch (error) {
    if (error instanceof EgressError) return { isSuccess: false, reason: error.code };
    throw error;
  }
}

function contractIn(body: string): Pick<Asked, 'contract' | 'reason'> {
  const { exiResponse, remainingContracts } = fieldsOf(body);
  if (typeof exiResponse !== 'string' || exiResponse === '') return { reason: 'no_contract' };
  if (exiResponse.length > MAX_EXI_CHARACTERS) return { reason: 'too_large' };
  const isCount = typeof remainingContracts === 'number' && Number.isSafeInteger(remainingContracts);
  const remaining = isCount && remainingContracts >= 0 ? { remainingContracts } : {};
  return { contract: { kind: 'contract', exiResponse, ...remaining } };
}

function fieldsOf(body: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
