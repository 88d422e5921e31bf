import { useId } from 'react';
import type { Charger } from '../use-charger';

/** For controls that need the charger's connection: without it `state` disables them, and names the text with the id `reason`, which is the page's. */
export function useConnectionNeed({ activeConnection: isConnected }: Charger) {
  const reason = useId();
  const state = isConnected ? {} : { disabled: true, 'aria-describedby': reason };
  return { isConnected, reason, state };
}
