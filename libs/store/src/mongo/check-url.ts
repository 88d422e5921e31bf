// Refuses options in STORE_URL that would break a promise: what was acknowledged is kept, and is what the next read shows.
import { AppError } from '@busbar/core';

interface Rule {
  /** In lower case. */
  readonly allowed: readonly string[];
  readonly why: string;
}

const STALE = 'reads must see what was acknowledged, which only the primary shows at once';
const LOST = 'what was acknowledged must be in the journals of a majority';

const TLS: ReadonlySet<string> = new Set(['tls', 'ssl']);

/** By the option's name in lower case: the driver takes any case. */
const RULES: Readonly<Record<string, Rule>> = {
  readpreference: { allowed: ['primary'], why: STALE },
  readpreferencetags: { allowed: [], why: STALE },
  maxstalenessseconds: { allowed: [], why: STALE },
  readconcernlevel: { allowed: ['local', 'majority', 'linearizable'], why: STALE },
  w: { allowed: ['majority'], why: LOST },
  journal: { allowed: ['true'], why: LOST },
  j: { allowed: ['true'], why: LOST },
};

export interface Address {
  readonly url: string;
  readonly caFile?: string | undefined;
}

/** Throws `invalid_configuration` with the option and what to do. Nothing else of the URL is shown. */
export function checkUrl({ url, caFile }: Address): void {
  for (const [name, value] of optionsOf(url)) {
    const rule = RULES[name.toLowerCase()];
    if (rule === undefined || rule.allowed.includes(value.toLowerCase())) continue;
    const remedy = rule.allowed.length === 0 ? 'remove it' : `remove it, or set it to ${rule.allowed.join(' or ')}`;
    throw new AppError('invalid_configuration', `STORE_URL sets ${name}: ${rule.why}, so ${remedy}.`);
  }
  const isPlain = optionsOf(url).some(([name, value]) => TLS.has(name.toLowerCase()) && value === 'false');
  if (!isPlain || caFile === undefined) return;
  throw new AppError('invalid_configuration', 'STORE_CA_FILE is set and STORE_URL turns TLS off: remove one of them.');
}

/** Behind every question mark, since one may stand in a password. */
function optionsOf(url: string): readonly (readonly [string, string])[] {
  return [...new URLSearchParams(url.split('?').slice(1).join('&'))];
}
