import { AppError, randomToken, type Clock } from '@busbar/core';
import type { ApiKey, ApiKeyWriter } from './api-key';
import { clientNameFrom, type Client, type ClientWriter } from './client';
import { toTimestamp } from '../timestamp';
import { ALL_PERMISSIONS, createApiKey } from './create-api-key';

export interface CreateClientDeps {
  readonly clients: ClientWriter;
  readonly apiKeys: ApiKeyWriter;
  readonly clock: Clock;
}

export interface CreateClientInput {
  readonly name: string;
  /** Given for scripts; else generated. */
  readonly clientId?: string;
  /** Given for scripts: 16 to 200 printable characters; else generated. */
  readonly apiKey?: string;
}

/**
 * Creates a client and its first API key, which has every permission. The secret is returned here and stored nowhere.
 */
export async function createClient(
  deps: CreateClientDeps,
  input: CreateClientInput,
): Promise<{ client: Client; key: ApiKey; secret: string }> {
  const client: Client = {
    clientId: input.clientId ?? `c_${randomToken(9)}`,
    name: clientNameFrom(input.name),
    openCharging: false,
    createdAt: toTimestamp(deps.clock.now()),
  };
  if ((await deps.clients.insert(client)) === 'exists') {
    throw new AppError('conflict', `There is a client ${client.clientId} already.`);
  }
  const made = await createApiKey(deps, {
    clientId: client.clientId,
    name: 'first key',
    permissions: ALL_PERMISSIONS,
    expiresAt: null,
    ...(input.apiKey === undefined ? {} : { secret: input.apiKey }),
  });
  return { client, ...made };
}
