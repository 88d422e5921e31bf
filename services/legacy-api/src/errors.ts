// The errors of the v1 (legacy) API, in which a site is a group.
import { API_ERRORS, CLIENT_ERROR_CODES, recordSchema, string } from '@busbar/api';
import type { ErrorCode } from '@busbar/core';
import { field, type ErrorPresenter } from '@busbar/http';

/** Codes with another name in this API. */
const RENAMED: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_site_id: 'invalid_group_id',
  site_required: 'group_required',
  site_circle: 'group_circle',
  // An operator's error: clients get `internal`.
  invalid_configuration: 'internal',
};

/** The code as clients of this API get it. */
export const legacyCodeOf = (code: ErrorCode): string => RENAMED[code] ?? code;

export const errorSchema = recordSchema('Error', 'An error.', {
  errorCode: {
    title: 'ErrorCode',
    type: 'string',
    enum: CLIENT_ERROR_CODES.map(legacyCodeOf),
    description: 'The code of the error: decide by it, not by the message.',
  },
  message: field(string, 'What failed, why, and what to do.', 'There is no charger ACME_1.'),
  requestId: field(string, 'The id of the request, also in the log.', '01JAX5Z3V0H5K8N2P4S6T8VWXY'),
});

export const legacyErrorPresenter: ErrorPresenter = {
  contentType: 'application/json; charset=utf-8',
  schema: errorSchema,
  statusOf: (code) => API_ERRORS[code].status,
  nameOf: legacyCodeOf,
  bodyOf: ({ error, requestId }) => ({
    errorCode: legacyCodeOf(error.code),
    message: error.message,
    requestId,
  }),
};
