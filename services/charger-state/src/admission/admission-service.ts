// Answers gateways whether a charger may connect. The replicas share the requests; a replica on standby answers none.
import type { Broker } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import { createOutageReporter, type Clock, type Logger } from '@busbar/core';
import type { Records } from '@busbar/domain';
import type { ReportStore } from '@busbar/domain/reports';
import { admit, type AdmissionDeps } from './admit';
import { createClientQuota } from './client-quota';
import { createClientTerms } from './client-terms';
import type { ChargerStateSettings } from '../config';
import { createRetainedSubscription, type RetainedSubscription } from '@busbar/runtime';
import { createPasswordChecks } from './password-checks';

export interface AdmissionServiceDeps {
  readonly broker: Pick<Broker, 'listen' | 'respond'>;
  readonly records: Pick<Records, 'chargers' | 'authorizationEndpoints'>;
  readonly reports: Pick<ReportStore, 'nextOrder'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: ChargerStateSettings;
}

/** The address of the requests, shared by all replicas. */
export function createAdmissionService(deps: AdmissionServiceDeps): RetainedSubscription {
  const { broker, records, reports, clock, logger, settings } = deps;
  const { chargers } = records;
  const terms = createClientTerms(records.authorizationEndpoints, clock);
  const admissionDeps: AdmissionDeps = {
    chargers,
    terms,
    reports,
    clock,
    partitions: settings.partitions,
    passwords: createPasswordChecks(),
    quota: createClientQuota(chargers, clock, settings.maxConnectionsPerClient),
  };
  return createRetainedSubscription({
    what: channels.admissions.name,
    async open() {
      const changes = await broker.listen(channels.authorisationTerms, terms.learn);
      const requests = await broker.respond(channels.admissions, '', (request) => admit(request, admissionDeps));
      return {
        async close() {
          await requests.close();
          await changes.close();
        },
      };
    },
    clock,
    outages: createOutageReporter({
      clock,
      logger,
      began: 'admissions cannot be taken again; it is tried until they can',
      ended: 'admissions are taken again',
    }),
  });
}
