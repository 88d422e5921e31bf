// The networks from which a charger was admitted.

/** A charger has few: its site's, and one or two of a mobile operator. */
const MAX_GOOD_NETWORKS = 4;

/** Puts the network of a new admission last. Returns the same list where it was last already. */
export function withGoodNetwork(networks: readonly string[], network: string): readonly string[] {
  if (networks.at(-1) === network) return networks;
  return [...networks.filter((each) => each !== network), network].slice(-MAX_GOOD_NETWORKS);
}
