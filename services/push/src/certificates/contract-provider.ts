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
    const asked = await circuit.run(() => ask(deps, request, question), isServed);
    if (typeof asked !== 'string') return asked;
    logger.info({ chargerId: request.chargerId, reason: asked }, 'the contract provider gave no contract');
    return NONE;
  };
}

const HTTP_REASON = 'http_';
const REFUSALS: ReadonlySet<string> = new Set(['no_contract', 'too_large']);

/** Whether the provider works: it may refuse what a charger sends. */
function isServed(asked: CertificateFinding | string): boolean {
  if (typeof asked !== 'string' || REFUSALS.has(asked)) return true;
  return asked.startsWith(HTTP_REASON) && Number(asked.slice(HTTP_REASON.length)) < 500;
}

/** A text is the reason why there is no contract. */
async function ask(
  { url, authorization, egress }: ContractProviderDeps,
  { chargerId, ocppVersion }: Omit<CertificateRequest, 'question'>,
  { schemaVersion, action, exiRequest, maxContracts, contractIds }: ContractQuestion,
): Promise<CertificateFinding | string> {
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
    if (response.status !== 200) return `${HTTP_REASON}${String(response.status)}`;
    return response.truncated ? 'too_large' : contractIn(response.body.toString('utf8'));
  } catch (error) {
    if (error instanceof EgressError) return error.code;
    throw error;
  }
}

function contractIn(body: string): CertificateFinding | string {
  const { exiResponse, remainingContracts } = fieldsOf(body);
  if (typeof exiResponse !== 'string' || exiResponse === '') return 'no_contract';
  if (exiResponse.length > MAX_EXI_CHARACTERS) return 'too_large';
  const isCount = typeof remainingContracts === 'number' && Number.isSafeInteger(remainingContracts);
  const remaining = isCount && remainingContracts >= 0 ? { remainingContracts } : {};
  return { kind: 'contract', exiResponse, ...remaining };
}

function fieldsOf(body: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
