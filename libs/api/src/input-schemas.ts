// Common parts of the input schemas of both APIs. `x-error-code` is the error code of an invalid value; default invalid_request.
import { CHARGER_ID_MESSAGE, CHARGER_ID_PATTERN, CHARGER_ID_RULE } from '@busbar/domain/chargers';
import { INPUT_LIMITS, NOT_BLANK_PATTERN } from '@busbar/domain';
import { ID_TAG_PATTERN } from '@busbar/domain/tags';

export const nameSchema = {
  type: 'string',
  minLength: 1,
  maxLength: INPUT_LIMITS.name,
  pattern: NOT_BLANK_PATTERN,
} as const;

export const textSchema = { type: 'string', maxLength: INPUT_LIMITS.text } as const;

export const chargerIdSchema = {
  type: 'string',
  pattern: CHARGER_ID_PATTERN,
  description: `The identifier that is configured in the charger. It is unique across the whole service. It ${CHARGER_ID_RULE}`,
  'x-pattern-message': CHARGER_ID_MESSAGE,
  'x-error-code': 'invalid_charger_id',
} as const;

export const siteIdSchema = {
  type: 'integer',
  minimum: 1,
  // Larger numbers lose digits in JSON.
  maximum: Number.MAX_SAFE_INTEGER,
  'x-error-code': 'invalid_site_id',
} as const;

export const socketIdSchema = { type: 'integer', minimum: 1, maximum: INPUT_LIMITS.socketId } as const;

/** The service assigns them as OCPP integers of 32 bits. */
export const transactionIdSchema = { type: 'integer', minimum: 1, maximum: 2_147_483_647 } as const;

/** At most 20 characters in OCPP 1.6, 36 in later versions. */
export const rfidTagSchema = { type: 'string', pattern: ID_TAG_PATTERN } as const;

/** OCPP 1.6 6.6, CiString50Type. */
export const configNameSchema = { type: 'string', minLength: 1, maxLength: 50 } as const;

/** OCPP 1.6 6.6, CiString500Type. */
export const configValueSchema = { type: 'string', maxLength: 500 } as const;

export const commandTimeoutSchema = {
  type: 'integer',
  minimum: 1,
  maximum: INPUT_LIMITS.commandTimeoutS,
  description: "Seconds to wait for the charger's response. Default: a setting of the service (30).",
} as const;

/** A ULID. */
export const commandIdSchema = { type: 'string', minLength: 26, maxLength: 26 } as const;
