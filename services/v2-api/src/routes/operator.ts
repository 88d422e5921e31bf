// What an operator of the deployment sees and does, over all clients.
import type { RouteDeps } from '@busbar/api';
import { AppError, parseJson } from '@busbar/core';
import { OPERATOR, type ApiKey } from '@busbar/domain/clients';
import type { DeadLetterStore, StoredDeadLetter } from '@busbar/domain/reports';
import type { Route } from '@busbar/http';
import { route } from '../route';
import {
  deadLettersSchema,
  letterIdSchema,
  letterParamsSchema,
  lettersQuerySchema,
  processesSchema,
} from '../schemas/operator';

type Deps = Pick<RouteDeps, 'deployment' | 'masker'>;

const MAX_LISTED = 100;
const MAX_FRAME = 20_000;
const PERMISSION = { tag: 'Operator', permission: OPERATOR } as const;

export function operatorRoutes(deps: Deps): readonly Route<ApiKey>[] {
  return [listDeadLettersRoute(deps), replayRoute(deps), dropRoute(deps), processesRoute(deps)];
}

function deploymentOf({ deployment }: Deps): NonNullable<Deps['deployment']> {
  if (deployment === undefined) throw new AppError('unavailable', 'this process does not see the deployment');
  return deployment;
}

function listDeadLettersRoute(deps: Deps): Route<ApiKey> {
  return route({
    ...PERMISSION,
    method: 'GET',
    path: '/operator/dead-letters',
    operationId: 'listDeadLetters',
    summary: 'List dead letters',
    description: 'Messages of chargers that failed five times by their own fault, the newest first, of all clients.',
    query: lettersQuerySchema,
    response: deadLettersSchema,
    errors: ['not_found'],
    async handler({ query: { limit = MAX_LISTED, after } }) {
      const { deadLetters } = deploymentOf(deps);
      const from = after === undefined ? {} : { after: await letterOf(deadLetters, after) };
      const found = await deadLetters.list(limit + 1, { newestFirst: true, ...from });
      const items = found.slice(0, limit).map((letter) => presentLetter(deps, letter));
      const nextAfter = found.length > limit ? (items.at(-1)?.id ?? null) : null;
      return { items, totalRecords: await deadLetters.count(), nextAfter };
    },
  });
}

function replayRoute(deps: Deps): Route<ApiKey> {
  return route({
    ...PERMISSION,
    method: 'POST',
    path: '/operator/dead-letters/:deadLetterId/replay',
    operationId: 'replayDeadLetter',
    summary: 'Replay a dead letter',
    description:
      'Publishes it to its queue again. It becomes a dead letter again where it still cannot be applied. Its rows are stored; a record that later messages changed stays as it is. An unreadable one gets 400: drop it.',
    params: letterParamsSchema,
    response: letterIdSchema,
    errors: ['not_found', 'invalid_request'],
    async handler({ params: { deadLetterId } }) {
      const { deadLetters, replay } = deploymentOf(deps);
      await replay(await letterOf(deadLetters, deadLetterId));
      return { id: deadLetterId };
    },
  });
}

function dropRoute(deps: Deps): Route<ApiKey> {
  return route({
    ...PERMISSION,
    method: 'DELETE',
    path: '/operator/dead-letters/:deadLetterId',
    operationId: 'dropDeadLetter',
    summary: 'Delete a dead letter permanently',
    params: letterParamsSchema,
    response: letterIdSchema,
    errors: ['not_found'],
    async handler({ params: { deadLetterId } }) {
      if (!(await deploymentOf(deps).deadLetters.drop(deadLetterId))) throw noLetter(deadLetterId);
      return { id: deadLetterId };
    },
  });
}

function processesRoute(deps: Deps): Route<ApiKey> {
  return route({
    ...PERMISSION,
    method: 'GET',
    path: '/operator/processes',
    operationId: 'listProcesses',
    summary: 'List the processes of the deployment',
    description:
      'Gateways and replicas of charger-state and push are those that announced themselves to this process of the API: after its start that takes some seconds.',
    response: processesSchema,
    async handler() {
      const report = await deploymentOf(deps).processes();
      return {
        ...report,
        gateways: report.gateways.map(({ gatewayId: id, chargers, isDead: dead, ...announced }) => {
          const { sockets = null, renewedAt = null, stopping = false, program = null } = announced;
          return { id, chargers, sockets, renewedAt, stopping, dead, program };
        }),
        chargerState: report.chargerState.map(({ replicaId: id, partitions }) => ({ id, partitions })),
        partitions: report.partitions.map(({ partition, depth = null }) => ({ partition, depth })),
        push: report.push.map(({ replicaId: id, waiting = null }) => ({ id, waiting })),
        processes: report.processes.map(({ service, program, schema }) => ({ service, program, schema })),
      };
    },
  });
}

async function letterOf(deadLetters: Pick<DeadLetterStore, 'find'>, id: string): Promise<StoredDeadLetter> {
  const letter = await deadLetters.find(id);
  if (letter === undefined) throw noLetter(id);
  return letter;
}

function noLetter(id: string): AppError {
  return new AppError('not_found', `There is no dead letter ${id}.`);
}

function presentLetter({ masker }: Deps, letter: StoredDeadLetter) {
  const { deadLetterId: id, chargerId, action, reason, at } = letter;
  return { id, chargerId, action, reason, at, frame: masker.frame(frameOf(letter)).slice(0, MAX_FRAME) };
}

/** The frame as the charger sent it; the whole body where it cannot be read. */
function frameOf({ chargerId, report }: StoredDeadLetter): string {
  if (chargerId === '') return report;
  const envelope = parseJson(report);
  const raw = typeof envelope === 'object' && envelope !== null && 'raw' in envelope ? envelope.raw : undefined;
  return typeof raw === 'string' ? raw : '';
}
