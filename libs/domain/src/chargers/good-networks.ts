// Where a charger is known to come from.

/** A charger has few: its site's, a mobile operator's or two. */
const MAX_GOOD_NETWORKS = 4;

/** With one that the charger was admitted from just now, last; the same list where it was last already. */
export function withGoodNetwork(networks: readonly string[], network: string): readonly string[] {
  if (networks.at(-1) === network) return networks;
  return [...networks.filter((each) => each !== network), network].slice(-MAX_GOOD_NETWORKS);
}
