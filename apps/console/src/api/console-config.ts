// What the console must know of this deployment.
import { useQuery } from '@tanstack/react-query';
import { failureFrom, send } from './client';

export interface ConsoleConfig {
  /** What chargers append their id to. Null: `/ocpp/` at the host of the console. */
  readonly ocppUrl: string | null;
  /** A template with `{z}`, `{x}` and `{y}`. Null: there is no map. */
  readonly tilesUrl: string | null;
  /** Whom the map names as the origin of its tiles. */
  readonly tilesAttribution: string;
}

export const consoleConfigQuery = { queryKey: ['console-config'], queryFn: readConfig, staleTime: Infinity };

export function useConsoleConfig() {
  return useQuery(consoleConfigQuery);
}

async function readConfig({ signal }: { readonly signal: AbortSignal }): Promise<ConsoleConfig> {
  const response = await send('/console/config', { signal });
  if (!response.ok) throw failureFrom(undefined, response);
  return (await response.json()) as ConsoleConfig;
}
