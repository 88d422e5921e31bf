/** The environment in which a program of the service takes free ports: what it bound stands in its log. */
export const FREE_PORTS = { PORT: '0', OCPP_PLAIN_PORT: '0', INTERNAL_PORT: '0' } as const;

export interface OneProcess {
  /** The directory of its data. */
  readonly directory: string;
  readonly clientId: string;
  readonly apiKey: string;
}

/** The environment of the one-process mode for a test: free ports, a directory and a client of its own, room for its requests. */
export function oneProcessEnv({ directory, clientId, apiKey }: OneProcess): Readonly<Record<string, string>> {
  return {
    ...FREE_PORTS,
    STORE_URL: `file:${directory}`,
    BOOTSTRAP_CLIENT_ID: clientId,
    BOOTSTRAP_API_KEY: apiKey,
    RATE_LIMIT_PER_KEY: '10000',
    RATE_LIMIT_PER_ADDRESS: '10000',
  };
}
