// The errors of the v2 API: problem details as of RFC 9457.
import { API_ERRORS, CLIENT_ERROR_CODES } from '@busbar/api';
import { issuesOf, type ErrorFacts, type ErrorPresenter } from '@busbar/http';

export const problemSchema = {
  title: 'Problem',
  description: 'An error (RFC 9457).',
  type: 'object',
  properties: {
    type: { type: 'string', description: '`urn:busbar:error:` followed by the code.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', description: 'The requested path.' },
    code: { type: 'string', enum: CLIENT_ERROR_CODES },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' } },
        required: ['path', 'message'],
        additionalProperties: false,
      },
    },
    commandId: { type: 'string', description: 'Only for commands: the id of the stored command.' },
    chargerError: {
      type: 'object',
      description: 'Only for `charger_error`: the error that the charger reported.',
      properties: { code: { type: 'string' }, description: { type: 'string' } },
      required: ['code', 'description'],
      additionalProperties: false,
    },
  },
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'errors'],
  additionalProperties: false,
} as const;

export const v2ErrorPresenter: ErrorPresenter = {
  contentType: 'application/problem+json; charset=utf-8',
  schema: problemSchema,
  statusOf: (code) => API_ERRORS[code].status,
  nameOf: (code) => code,
  bodyOf: problemOf,
};

const MAX_PATH = 500;

function problemOf({ error, requestId, path }: ErrorFacts): object {
  const { status, title } = API_ERRORS[error.code];
  return {
    type: `urn:busbar:error:${error.code}`,
    title,
    status,
    detail: error.message,
    instance: path.slice(0, MAX_PATH),
    code: error.code,
    requestId,
    errors: issuesOf(error),
    ...(typeof error.details['commandId'] === 'string' ? { commandId: error.details['commandId'] } : {}),
    ...(error.code === 'charger_error' ? { chargerError: error.details['chargerError'] } : {}),
  };
}
