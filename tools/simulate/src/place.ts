import { AppError } from '@busbar/core';
import type { Administer } from './registration';

export interface Place {
  /** A websocket address with `/` at its end. */
  readonly url: string;
  /** Where the HTTP API is; undefined when the websocket address does not show it. */
  readonly origin: string | undefined;
}

interface Asked {
  readonly url: string | undefined;
  readonly api: string | undefined;
}

/** Where chargers connect: the given address, else what the running one-process mode says of itself. */
export async function findPlace({ url, api }: Asked, administer: Administer): Promise<Place> {
  if (url !== undefined) {
    const { protocol, host } = new URL(url);
    return { url, origin: api ?? (protocol === 'wss:' ? `https://${host}` : await originOf(administer)) };
  }
  const { ocpp, http } = addressesOf(await administer(['address']).catch(() => undefined));
  if (ocpp === undefined) {
    throw new AppError(
      'not_found',
      'No service runs here: start it with "npm start" (in this folder, or with the same STORE_URL), or name its address with --url.',
    );
  }
  return { url: ocpp, origin: api ?? http };
}

/** A port for plain ws serves no HTTP; on this machine the running process knows where that is. */
async function originOf(administer: Administer): Promise<string | undefined> {
  return addressesOf(await administer(['address']).catch(() => undefined)).http;
}

function addressesOf(data: unknown): { ocpp?: string; http?: string } {
  if (typeof data !== 'object' || data === null) return {};
  const { ocpp, http } = data as Record<string, unknown>;
  return {
    ...(typeof ocpp === 'string' ? { ocpp } : {}),
    ...(typeof http === 'string' ? { http } : {}),
  };
}
