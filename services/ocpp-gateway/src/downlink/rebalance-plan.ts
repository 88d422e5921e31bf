// Plans how many connections a gateway with more than its share closes, so that their chargers connect to gateways with
// fewer. Pure.

/** The load of a gateway by its lease, as every gateway knows it. */
export interface GatewayLoad {
  /** Undefined where its lease does not say it, as an older version's. */
  readonly sockets: number | undefined;
  readonly isStopping: boolean;
  /** Since its first lease that was seen here. */
  readonly ageMs: number;
  /** Its lease was not renewed in time. */
  readonly isMissing: boolean;
}

/** Younger ones fill by themselves at first, and a rollout replaces many: they do not count yet. */
const GROWN_UP_MS = 60_000;
/** Begins above both, and ends below the third, so that it does not begin again at once. */
const BEGIN = { ratio: 1.25, sockets: 100 };
const END_RATIO = 1.1;
const SURPLUS_SHARE_PER_S = 0.01;
const MAX_PER_S = 20;

/**
 * Sockets to close in a second; 0: none. `isActive`: it has begun and is not complete. Undefined while a lease is missing or a
 * gateway stops: nobody knows where chargers would go, so what has begun pauses.
 */
export function rebalanceRate(own: GatewayLoad, others: readonly GatewayLoad[], isActive: boolean): number | undefined {
  const all = [own, ...others];
  if (all.some(({ sockets, isStopping, isMissing }) => sockets === undefined || isStopping || isMissing))
    return undefined;
  if (own.sockets === undefined || own.ageMs < GROWN_UP_MS) return 0;
  const counted = all.filter(({ ageMs }) => ageMs >= GROWN_UP_MS);
  const mean = counted.reduce((sum, { sockets = 0 }) => sum + sockets, 0) / counted.length;
  const surplus = own.sockets - mean;
  const isAbove = isActive
    ? own.sockets > END_RATIO * mean
    : own.sockets > BEGIN.ratio * mean && surplus > BEGIN.sockets;
  return isAbove ? Math.min(MAX_PER_S, SURPLUS_SHARE_PER_S * surplus) : 0;
}
