// Moves the refusals that several operations have into the components of an OpenAPI document, under names that generated clients
// can show.
import type { Json } from './components';
import { mapOperations, mapValues, type Paths } from './map-values';

/** Names of refusals by the codes that they list. One of a single code has the name of the code; others stay where they are. */
const NAMES: Readonly<Record<string, string>> = {
  'https_required, forbidden': 'Forbidden',
  'invalid_request, invalid_json': 'InvalidBody',
  'invalid_request, invalid_charger_id': 'InvalidChargerRequest',
  'invalid_request, invalid_site_id': 'InvalidSiteRequest',
  'invalid_request, invalid_group_id': 'InvalidGroupRequest',
  'invalid_request, invalid_charger_id, invalid_site_id': 'InvalidFilter',
  'invalid_request, invalid_json, invalid_charger_id': 'InvalidChargerBody',
  'invalid_request, invalid_json, invalid_group_id': 'InvalidGroupBody',
  'idempotency_key_reused, request_in_progress, conflict': 'Conflict',
  'charger_offline, not_supported_by_version': 'ChargerCannot',
  'charger_error, charger_invalid_answer, charger_disconnected': 'ChargerFailed',
  'unavailable, charger_busy': 'UnavailableOrBusy',
};
/** Marks a refusal that a repeated request gets again. */
const REPLAYED = { header: 'Idempotency-Replayed', name: 'Replayable' };

interface Group {
  readonly response: Json;
  count: number;
}

/**
 * The paths with a reference in place of each refusal that two or more operations have, and those refusals by name. Where two
 * have one name, the more frequent one gets it, and the other stays where it is.
 */
export function shareResponses(paths: Paths): { readonly paths: Paths; readonly responses: Json } {
  const groups = new Map<string, Group>();
  for (const refusal of refusalsOf(paths)) {
    const key = JSON.stringify(refusal);
    const group = groups.get(key) ?? { response: refusal, count: 0 };
    group.count += 1;
    groups.set(key, group);
  }
  const names = new Map<string, string>();
  const responses: Json = {};
  for (const [key, { response, count }] of [...groups].sort(([, one], [, other]) => other.count - one.count)) {
    const name = nameOf(response);
    if (count < 2 || name === undefined || responses[name] !== undefined) continue;
    names.set(key, name);
    responses[name] = response;
  }
  const shared = (response: unknown): unknown => {
    const name = names.get(JSON.stringify(response));
    return name === undefined ? response : { $ref: `#/components/responses/${name}` };
  };
  return { paths: withResponses(paths, shared), responses: sorted(responses) };
}

function refusalsOf(paths: Paths): readonly Json[] {
  return Object.values(paths).flatMap((operations) =>
    Object.values(operations).flatMap(({ responses }) =>
      Object.entries(responses as Json)
        .filter(([status]) => isRefusal(status))
        .map(([, response]) => response as Json),
    ),
  );
}

function withResponses(paths: Paths, shared: (response: unknown) => unknown): Paths {
  const sharedAt = (response: unknown, status: string): unknown => (isRefusal(status) ? shared(response) : response);
  return mapOperations(paths, ({ responses, ...operation }) => {
    return { ...operation, responses: mapValues(responses as Json, sharedAt) };
  });
}

function isRefusal(status: string): boolean {
  return Number(status) >= 400;
}

/** The examples of a refusal are named by its codes. */
function nameOf({ content, headers }: Json): string | undefined {
  const codes = Object.values(content as Json).flatMap((media) => Object.keys((media as { examples: Json }).examples));
  const name = codes.length === 1 ? capitalized(codes[0] ?? '') : NAMES[codes.join(', ')];
  const isReplayed = Object.keys(headers as Json).includes(REPLAYED.header);
  return name === undefined || !isReplayed ? name : `${name}${REPLAYED.name}`;
}

/** `ChargerTimeout` for `charger_timeout`. */
function capitalized(code: string): string {
  return code
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function sorted(components: Json): Json {
  return Object.fromEntries(Object.entries(components).sort(([one], [other]) => one.localeCompare(other)));
}
