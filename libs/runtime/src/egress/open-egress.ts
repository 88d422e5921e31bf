import type { Egress, EgressOptions } from './egress';

/** Creates the HTTP client towards servers of others. It is loaded here: it costs 20 MB, and most processes send nothing. */
export async function openEgress(options: EgressOptions): Promise<Egress> {
  const { createEgress } = await import('./egress.js');
  return createEgress(options);
}
