// The time from a charger's frame until an integrator can read it.
import type { ChargerSocket, Target } from './charger-socket';
import { connectHttps, getRequest } from './https-client';
import { runProbe, SEEN_WITHIN_MS, type ProbeInput, type ProbeResult } from './probe-load';

export interface ReadableInput extends ProbeInput {
  readonly target: Target;
  /** Below it a charger is read by its id. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The charger is read over and over until it shows the report. */
export function runReadableLoad(sockets: readonly ChargerSocket[], input: ReadableInput): Promise<ProbeResult> {
  return runProbe(sockets, input, async (chargerId) => {
    const connection = await connectHttps(input.target);
    const request = getRequest(input.target, input.path + encodeURIComponent(chargerId), input.headers);
    return {
      async seen(text) {
        const endMs = performance.now() + SEEN_WITHIN_MS;
        while (performance.now() < endMs) {
          if ((await connection.exchange(request)).body.includes(text)) return performance.now();
        }
        return undefined;
      },
      close: () => connection.destroy(),
    };
  });
}
