// Real-time authorization: responds to gateways and APIs, saves what became of the requests, and announces which clients have an
// endpoint.
import type { Broker, Subscription } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import { createPeriodicJob, type Clock, type Logger, type Service } from '@busbar/core';
import type { Records, StoredSecrets } from '@busbar/domain';
import { termsOf, type AuthorizationEndpoint } from '@busbar/domain/real-time-authorization';
import type { Egress } from '@busbar/runtime';
import { answerQuestion } from './answer-question';
import { createEndpointCircuits } from './endpoint-circuits';

export interface AuthorizationServiceDeps {
  readonly broker: Pick<Broker, 'broadcast' | 'respond'>;
  readonly records: Pick<Records, 'authorizationEndpoints' | 'chargers' | 'tags'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Undefined: this process has no key, so nothing that is signed can be sent. */
  readonly secrets: Pick<StoredSecrets, 'decrypt'> | undefined;
  readonly openEgress: () => Promise<Egress>;
}

const SAVE_EVERY_MS = 1_000;
/** A gateway that has missed a change learns it then. */
const ANNOUNCE_EVERY_MS = 30_000;
const ENDPOINTS_PER_NOTICE = 200;

export function createAuthorizationService(deps: AuthorizationServiceDeps): Service {
  const { broker, records, clock, logger, secrets, openEgress } = deps;
  const endpoints = records.authorizationEndpoints;
  const circuits = createEndpointCircuits(deps);
  let egress: Egress | undefined;
  let subscription: Subscription | undefined;

  async function save(): Promise<void> {
    for (const { endpoint, status } of circuits.takeUnsaved()) await endpoints.saveStatus(endpoint, status);
  }

  async function announce(signal: AbortSignal): Promise<void> {
    let page: readonly AuthorizationEndpoint[];
    let after: string | undefined;
    do {
      page = await endpoints.listAfter(after, ENDPOINTS_PER_NOTICE);
      after = page.at(-1)?.clientId;
      if (page.length > 0) broker.broadcast(channels.authorisationTerms, { clients: page.map(clientTermsOf) });
    } while (page.length === ENDPOINTS_PER_NOTICE && !signal.aborted);
  }

  const jobs = [
    createPeriodicJob({
      name: 'status of authorization endpoints',
      everyMs: SAVE_EVERY_MS,
      run: save,
      failed: 'the status of an endpoint for real-time authorization was not saved',
      clock,
      logger,
    }),
    createPeriodicJob({
      name: 'terms of authorization endpoints',
      everyMs: ANNOUNCE_EVERY_MS,
      atStart: true,
      run: announce,
      failed: 'endpoints for real-time authorization were not announced',
      clock,
      logger,
    }),
  ];

  return {
    name: 'real-time authorization',
    async start() {
      if (subscription !== undefined) return;
      const opened = (egress = await openEgress());
      const answerDeps = { records, circuits, secrets, clock, egress: opened };
      subscription = await broker.respond(channels.authorisations, '', (request) =>
        answerQuestion(answerDeps, request),
      );
      for (const job of jobs) await job.start();
    },
    async stop() {
      await subscription?.close();
      subscription = undefined;
      for (const job of jobs) await job.stop();
      await save().catch((error: unknown) => {
        logger.debug({ err: error }, 'the status of endpoints was not saved at the stop');
      });
      await egress?.close();
      egress = undefined;
    },
    ready: () => subscription !== undefined,
  };
}

function clientTermsOf(endpoint: AuthorizationEndpoint) {
  const terms = termsOf(endpoint);
  return { clientId: endpoint.clientId, ...(terms === undefined ? {} : { terms }) };
}
