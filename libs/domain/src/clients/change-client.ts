import { AppError } from '@busbar/core';
import type { Client, ClientReader, ClientWriter } from './client';

export interface ChangeClientInput {
  readonly name?: string;
  /** Whether unknown tags may charge, from the next authorization on. */
  readonly openCharging?: boolean;
}

/** Changes the given fields. Throws `invalid_request` for an invalid name, `not_found` for an unknown client. */
export async function changeClient(
  { clients }: { readonly clients: Pick<ClientReader, 'find'> & Pick<ClientWriter, 'change'> },
  clientId: string,
  input: ChangeClientInput,
): Promise<Client> {
  const name = input.name?.trim();
  if (name !== undefined && (name === '' || name.length > 200)) {
    throw new AppError('invalid_request', 'A client name has 1 to 200 characters.');
  }
  const { openCharging } = input;
  const parts = { ...(name === undefined ? {} : { name }), ...(openCharging === undefined ? {} : { openCharging }) };
  await clients.change(clientId, parts);
  const client = await clients.find(clientId);
  if (client === undefined) throw new AppError('not_found', `There is no client ${clientId}.`);
  return client;
}
