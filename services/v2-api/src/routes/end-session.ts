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
    operationId: 'endSession',
    summary: 'End a session without its charger',
    description: [
      'For a session whose stop the charger never reports. Ends the session permanently (`endedBy`: `operator`) and frees its',
      'tag. Nothing is sent to the charger: to stop charging, use `stop-transaction`. A later stop of the charger only adds its',
      'meter reading.',
    ].join(' '),
    permission: 'sessions:write',
    params: sessionParamsSchema,
    body: {
      title: 'SessionEnd',
      type: 'object',
      description: 'Why the session ends.',
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
