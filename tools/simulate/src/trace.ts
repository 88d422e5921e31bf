// Frames as lines: `--trace` prints those of all chargers, `--trace ID` those of one.
import { maskFrame } from '@busbar/ocpp';

export type Trace = (chargerId: string, from: 'charger' | 'service', text: string) => void;

/** Every charger. */
export const TRACE_ALL = '*';

/** Secrets are masked as the service masks them in its own log. */
export function createTrace(
  wanted: string | undefined,
  print: (line: string) => void,
  now: () => Date = () => new Date(),
): Trace {
  if (wanted === undefined) return () => undefined;
  return (chargerId, from, text) => {
    if (wanted !== TRACE_ALL && wanted !== chargerId) return;
    const time = now().toISOString().slice(11, 23);
    print(`${time}  ${chargerId}  ${from === 'charger' ? '→' : '←'}  ${maskFrame(text)}`);
  };
}
