// Rejects options in STORE_URL that would break a guarantee: acknowledged writes are durable and visible to the next
// read, and TLS authenticates the server.
import { AppError } from '@busbar/core';

interface Rule {
  /** In lower case. */
  readonly allowed: readonly string[];
  readonly why: string;
}

const STALE = 'reads must see acknowledged writes, which only the primary shows at once';
const DURABILITY = 'acknowledged writes must be in the journals of a majority';
const UNPROVEN =
  'an attacker must not be able to pose as MongoDB, and STORE_CA_FILE can name the authority of its certificate';

const TLS: ReadonlySet<string> = new Set(['tls', 'ssl']);

/** By the option's name in lower case: the driver ignores case. */
const RULES: Readonly<Record<string, Rule>> = {
  readpreference: { allowed: ['primary'], why: STALE },
  readpreferencetags: { allowed: [], why: STALE },
  maxstalenessseconds: { allowed: [], why: STALE },
  readconcernlevel: { allowed: ['local', 'majority', 'linearizable'], why: STALE },
  w: { allowed: ['majority'], why: DURABILITY },
  journal: { allowed: ['true'], why: DURABILITY },
  j: { allowed: ['true'], why: DURABILITY },
  tlsinsecure: { allowed: ['false'], why: UNPROVEN },
  tlsallowinvalidcertificates: { allowed: ['false'], why: UNPROVEN },
  tlsallowinvalidhostnames: { allowed: ['false'], why: UNPROVEN },
};

/** The driver then reads with `primaryPreferred` from the one member that it knows, even a secondary. */
const DIRECT: Rule = { allowed: ['false'], why: STALE };
/** Ends of tunnels and port forwarding, through which the names of a replica set are unreachable. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export interface Address {
  readonly url: string;
  readonly caFile?: string | undefined;
}

/** Throws `invalid_configuration` with the option and the remedy. The error shows nothing else of the URL. */
export function checkUrl({ url, caFile }: Address): void {
  for (const [name, value] of optionsOf(url)) {
    const rule = ruleOf(name.toLowerCase(), url);
    if (rule === undefined || rule.allowed.includes(value.toLowerCase())) continue;
    const remedy = rule.allowed.length === 0 ? 'remove it' : `remove it, or set it to ${rule.allowed.join(' or ')}`;
    throw new AppError('invalid_configuration', `STORE_URL sets ${name}: ${rule.why}, so ${remedy}.`);
  }
  const isPlain = optionsOf(url).some(([name, value]) => TLS.has(name.toLowerCase()) && value === 'false');
  if (!isPlain || caFile === undefined) return;
  throw new AppError('invalid_configuration', 'STORE_CA_FILE is set and STORE_URL turns TLS off: remove one of them.');
}

function ruleOf(name: string, url: string): Rule | undefined {
  if (name === 'directconnection') return LOOPBACK.has(hostOf(url)) ? undefined : DIRECT;
  return RULES[name];
}

/** The driver allows a direct connection to one host only. */
function hostOf(url: string): string {
  const [authority = ''] = url.slice(url.indexOf('://') + 3).split('/');
  const [address = ''] = authority.slice(authority.lastIndexOf('@') + 1).split('?');
  return address.startsWith('[') ? address.slice(0, address.indexOf(']') + 1) : (address.split(':')[0] ?? '');
}

/** After every question mark, since a password may contain one. */
function optionsOf(url: string): readonly (readonly [string, string])[] {
  return [...new URLSearchParams(url.split('?').slice(1).join('&'))];
}
