// The errors of the v2 API: problem details as of RFC 9457.
import { API_ERRORS, CLIENT_ERROR_CODES, ERRORS_PATH, integer, recordSchema, string } from '@busbar/api';
import { field, issuesOf, type ErrorFacts, type ErrorPresenter } from '@busbar/http';

/** The path of the API. */
export const BASE_PATH = '/v2';

const issueSchema = recordSchema('Issue', 'An issue of the request.', {
  path: field(
    string,
    'A JSON pointer into the body, `:name` for a path parameter, or `?name` for a query parameter.',
    '/name',
  ),
  message: field(string, 'What is wrong with it.', 'is required'),
});

const chargerErrorSchema = recordSchema(
  'ChargerError',
  'Only for `charger_error`: the error that the charger reported.',
  {
    code: field(string, 'The error code of OCPP.', 'InternalError'),
    description: field(string, "The charger's description of it. Empty: none.", ''),
  },
);

export const problemSchema = recordSchema(
  'Problem',
  'An error (RFC 9457).',
  {
    type: field(
      string,
      'The page of the code, relative to the URL of the request. It says what the code means and what to do; no API key is needed.',
      '/v2/errors/not_found',
    ),
    title: field(string, 'The meaning of the code.', 'Not found'),
    status: field(integer, 'The status of the response.', 404),
    detail: field(string, 'What failed, why, and what to do.', 'There is no charger ACME_1.'),
    instance: field(string, 'The requested path.', '/v2/chargers/ACME_1'),
    code: {
      title: 'ErrorCode',
      type: 'string',
      enum: CLIENT_ERROR_CODES,
      description: 'The code of the error: decide by it, not by the texts.',
    },
    requestId: field(string, 'The id of the request, also in the log.', '01JAX5Z3V0H5K8N2P4S6T8VWXY'),
    errors: field({ type: 'array', items: issueSchema }, 'All issues of an invalid request; else empty.', []),
  },
  {
    commandId: field(string, 'Only for commands: the id of the stored command.', '01JAX5Z3V8Q2M7R4T6W9Y0BCDE'),
    chargerError: chargerErrorSchema,
    oldest: field(string, 'Only for `cursor_expired`: a cursor before the oldest stored event.', 'AYDdPqcN1N1ZAgAAAAA'),
  },
);

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
    // Relative, with the full path, as RFC 9457 allows: only a proxy may know the origin, and one error has one type at every
    // name of the service.
    type: `${BASE_PATH}${ERRORS_PATH}/${error.code}`,
    title,
    status,
    detail: error.message,
    instance: path.slice(0, MAX_PATH),
    code: error.code,
    requestId,
    errors: issuesOf(error),
    ...(typeof error.details['commandId'] === 'string' ? { commandId: error.details['commandId'] } : {}),
    ...(error.code === 'charger_error' ? { chargerError: error.details['chargerError'] } : {}),
    ...(error.code === 'cursor_expired' ? { oldest: error.details['oldest'] } : {}),
  };
}
