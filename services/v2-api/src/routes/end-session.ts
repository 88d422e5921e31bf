import { textSchema } from '@busbar/api';
import { endSession, type EndSessionDeps } from '@busbar/domain/sessions';
import { presentSession } from '../presenters/present-session';
import { route } from '../route';
import { sessionParamsSchema, sessionSchema } from '../schemas/session';

export const endSessionRoute = (deps: EndSessionDeps) =>
  route({
    method: 'POST',
    path: '/sessions/:transactionId/end',
    tag: 'Sessions',
    summary: 'End a session whose stop never comes',
    description: [
      'Closes the session for good (`endedBy`: `operator`) and frees its tag. The charger is not told: to stop charging, use',
      '`stop-transaction`. A stop that the charger reports later is answered, and gives the session its meter reading.',
    ].join(' '),
    permission: 'sessions:write',
    params: sessionParamsSchema,
    body: {
      title: 'SessionEnd',
      type: 'object',
      properties: { reason: { ...textSchema, description: 'The `stopReason` of the session.' } },
      additionalProperties: false,
      examples: [{ reason: 'The charger was replaced.' }],
    },
    response: sessionSchema,
    errors: ['not_found', 'conflict'],
    async handler({ auth: { clientId }, params: { transactionId }, body: { reason } }) {
      return presentSession(await endSession(deps, { clientId, transactionId }, reason));
    },
  });
