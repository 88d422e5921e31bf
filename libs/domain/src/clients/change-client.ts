import { AppError } from '@busbar/core';
import { clientNameFrom, type Client, type ClientReader, type ClientWriter } from './client';

export interface ChangeClientInput {
  readonly name?: string;
  /** True where unknown tags may charge, from the next authorization on. */
  readonly openCharging?: boolean;
}

/** Changes the given fields. Throws `invalid_request` for an invalid name, `not_found` for an unknown client. */
export async function changeClient(
  { clients }: { readonly clients: Pick<ClientReader, 'find'> & Pick<ClientWriter, 'change'> },
  clientId: string,
  input: ChangeClientInput,
): Promise<Client> {
  await clients.change(clientId, { ...input, ...(input.name !== undefined && { name: clientNameFrom(input.name) }) });
  const client = await clients.find(clientId);
  if (client === undefined) throw new AppError('not_found', `There is no client ${clientId}.`);
  return client;
}
