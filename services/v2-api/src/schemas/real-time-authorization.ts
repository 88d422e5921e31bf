import { siteIdSchema } from '@busbar/api';
import { AUTHORIZATION_FORMATS, FAILURE_POLICIES, MAX_ENDPOINT_SITES } from '@busbar/domain/real-time-authorization';
import { field } from '@busbar/http';
import {
  boolean,
  common,
  count,
  nullableInteger,
  nullableString,
  nullableTimestampSchema,
  number,
  recordSchema,
  string,
  timestampSchema,
} from './values';

const VERDICTS = ['accepted', 'blocked', 'expired', 'unknown', 'not_allowed_here', 'no_credit'] as const;
const URL_EXAMPLE = 'https://tags.example.com/authorize';

const nullable = <Type extends string>(type: Type) => [type, 'null'] as const;

const FORMAT_TEXT = [
  '`standard`: signed by Standard Webhooks, with all facts.',
  '`push`: the request of the push API of v1, with `charger_id` and `rfid_tag_id`.',
].join(' ');

const settings = {
  timeoutS: field({ type: nullable('integer'), minimum: 1, maximum: 7 }, 'Seconds for its response. Null: 3.', 3),
  onFailure: field(
    { type: nullable('string'), enum: [...FAILURE_POLICIES, null] },
    'What a tag gets where the endpoint gives no verdict. Null: refuse.',
    'refuse',
  ),
  cacheS: field(
    { type: nullable('integer'), minimum: 0, maximum: 3600 },
    'Seconds for which a verdict is used again for the same tag and connection. Null: 60.',
    60,
  ),
  siteIds: field(
    { type: nullable('array'), items: siteIdSchema, maxItems: MAX_ENDPOINT_SITES },
    'Only chargers at exactly these sites. Null: all.',
    null,
  ),
  enabled: field({ type: nullable('boolean') }, 'False: nobody is asked, as without an endpoint. Null: true.', true),
};

export const authorizationEndpointInputSchema = {
  ...recordSchema(
    'RealTimeAuthorizationInput',
    'The settings of the endpoint. Null is the same as absent.',
    {
      url: field({ type: 'string', maxLength: 2_000 }, 'Its address: `https:`, with a public address.', URL_EXAMPLE),
      format: field({ type: 'string', enum: AUTHORIZATION_FORMATS }, FORMAT_TEXT, 'standard'),
    },
    {
      authorization: field(
        { type: nullable('string'), pattern: '^[!-~](?:[ -~]{0,998}[!-~])?$' },
        'The header `authorization` of requests in the push format. Null: none.',
        null,
      ),
      ...settings,
    },
  ),
  examples: [{ url: URL_EXAMPLE, format: 'standard' }],
} as const;

const shown = {
  url: field(string, 'Its address.', URL_EXAMPLE),
  format: field({ type: 'string', enum: AUTHORIZATION_FORMATS }, FORMAT_TEXT, 'standard'),
  timeoutS: field(count, 'Seconds for its response.', 3),
  onFailure: field({ type: 'string', enum: FAILURE_POLICIES }, 'What a tag gets where it gives no verdict.', 'refuse'),
  cacheS: field(count, 'Seconds for which a verdict is used again for the same tag and connection.', 60),
  siteIds: field({ type: nullable('array'), items: common.siteId }, 'Only chargers at these sites. Null: all.', null),
  enabled: field(boolean, 'False: nobody is asked.', true),
  lastAskedAt: field(nullableTimestampSchema, 'The last request to it. Null: none yet.', '2026-01-31T12:00:00.000Z'),
  failures: field(count, 'Failures since the last success.', 0),
  brokenUntil: field(
    nullableTimestampSchema,
    'After five failures in a row: not asked until then, and then by one request at a time. Null: it is asked.',
    null,
  ),
  lastError: field(
    nullableString,
    'The error of the last failure, a code of docs/real-time-authorization.md. Null: the last request succeeded.',
    null,
  ),
  createdAt: common.createdAt,
  updatedAt: field(timestampSchema, 'The last change of its settings.'),
};

export const authorizationEndpointSchema = recordSchema('RealTimeAuthorization', 'The endpoint.', shown);

export const newAuthorizationEndpointSchema = recordSchema('SetRealTimeAuthorization', 'The endpoint.', {
  ...shown,
  secret: field(
    nullableString,
    'Signs the requests of the standard format. Null: it was shown when the endpoint was set first.',
    'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
  ),
});

export const deletedEndpointSchema = recordSchema('DeletedRealTimeAuthorization', 'The endpoint is deleted.', {
  deleted: field(boolean, 'Always true.', true),
});

export const authorizationTestSchema = recordSchema('AuthorizationTest', 'The verdict.', {
  allowed: field(boolean, 'Whether the tag may charge.', true),
  verdict: field({ type: 'string', enum: VERDICTS }, '`accepted`, or the reason of the refusal.', 'accepted'),
  source: field(
    { type: 'string', enum: ['endpoint', 'fallback'] },
    '`fallback`: the endpoint gave no verdict, and `onFailure` counts.',
    'endpoint',
  ),
  tookMs: field(nullableInteger, 'Milliseconds until the response. Null: it was not asked.', 38),
  error: field(nullableString, 'Why there is no verdict. Null: there is one.', null),
  parentIdTag: field(nullableString, 'The group of the tag. Null: none.', null),
  expiresAt: field(nullableTimestampSchema, 'The expiry of the tag that chargers get. Null: none.', null),
  validForS: field(number, 'Seconds for which gateways use such a verdict again.', 60),
});
