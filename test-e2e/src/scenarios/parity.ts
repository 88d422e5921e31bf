// The common parts of the tables of use cases (registry-parity, command-parity, read-parity): a use case is a v2 call
// and the call of the v1 API that means the same, and what comes of one is what comes of the other.
import type { HttpReply } from '../harness/http';
import { legacy, v2, type World } from '../harness/world';

/** A call of one generation, made to name the things of a test. */
export type RequestOf<Named> = readonly [
  method: string,
  path: (named: Named) => string,
  body?: (named: Named) => unknown,
];

export interface UseCase<Named> {
  readonly title: string;
  readonly v2: RequestOf<Named>;
  readonly legacy: RequestOf<Named>;
  /** The status and the code in the newer words; 200 when absent. */
  readonly refused?: string;
}

/** The use case by way of v2; a query more where one is given. */
export function askV2<Named>(world: World, { v2: request }: UseCase<Named>, named: Named, query?: string) {
  const [method, path, body] = request;
  return v2(world, longer(path(named), query), { method, body: body?.(named) });
}

/** The same by way of the v1 API. */
export function askLegacy<Named>(world: World, { legacy: request }: UseCase<Named>, named: Named, query?: string) {
  const [method, path, body] = request;
  return legacy(world, longer(path(named), query), { method, body: body?.(named) });
}

/** Where the v1 API has a word of its own for a code. */
const V1_NAMES: Readonly<Record<string, string>> = {
  invalid_group_id: 'invalid_site_id',
  group_circle: 'site_circle',
};

/** `200`, or the status and the code in the newer words. */
export function outcomeOf({ status, json }: HttpReply): string {
  const { code, errorCode } = json as { code?: string; errorCode?: string };
  const word = code ?? errorCode;
  return word === undefined ? String(status) : `${String(status)} ${V1_NAMES[word] ?? word}`;
}

/** Ids, what follows from timestamps, and the frame that came last: the service asks things by itself, whenever it comes to it. */
const NOT_COMPARED = new Set(['createdAt', 'updatedAt', 'id', 'transactionLengthMinutes', 'lastMessage']);
const NUMBERS = new Set(['siteId', 'parentSiteId', 'groupId', 'transactionId']);
const MADE_ANEW = new Set(['messageId', 'commandId', 'stopCommandId', 'requestId']);
const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/**
 * Returns what was read, with the role of each of a test's things in place of its name, and without what no two of them
 * share.
 */
export function byRole(value: unknown, named: object): unknown {
  const roles = Object.entries(named).map(([role, name]): readonly [string, unknown] => [role, name]);
  const withRoles = (text: string): string =>
    roles.reduce(
      (shown, [role, name]) => (typeof name === 'string' ? shown.replaceAll(name, `<${role}>`) : shown),
      text,
    );
  const roleOf = (number: unknown): unknown => roles.find(([, name]) => name === number)?.[0] ?? number;

  function shown(item: unknown): unknown {
    if (typeof item === 'string') return TIMESTAMP.test(item) ? '<timestamp>' : withRoles(item);
    if (Array.isArray(item)) return item.map(shown);
    if (typeof item !== 'object' || item === null) return item;
    return Object.fromEntries(
      Object.entries(item)
        .filter(([name]) => !NOT_COMPARED.has(name))
        .map(([name, field]): [string, unknown] => {
          if (NUMBERS.has(name)) return [name, roleOf(field)];
          return [name, MADE_ANEW.has(name) && field !== null ? '<made anew>' : shown(field)];
        }),
    );
  }
  return shown(value);
}

function longer(path: string, query: string | undefined): string {
  return query === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
}
