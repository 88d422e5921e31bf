import { CONSOLE_HEADER, failureFrom, send } from '../../../api/client';
import type { CommandDefinition } from './definitions';

/** The charger's own answer, as the API returns it. */
export interface ChargerAnswer {
  readonly commandId: string;
  readonly status: string | null;
  readonly answer: Readonly<Record<string, unknown>>;
}

/** Sends a command and waits for the charger's answer. Throws a `Failure`. */
export async function sendCommand(
  chargerId: string,
  definition: CommandDefinition,
  body: Readonly<Record<string, unknown>>,
): Promise<ChargerAnswer> {
  const response = await send(`/v2/chargers/${encodeURIComponent(chargerId)}/${definition.path}`, {
    method: 'POST',
    headers: { ...CONSOLE_HEADER, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify(body),
  });
  const parsed = await bodyOf(response);
  if (!response.ok || typeof parsed !== 'object' || parsed === null) throw failureFrom(parsed, response);
  const answer = parsed as Readonly<Record<string, unknown>>;
  const { status, commandId } = answer;
  return {
    answer,
    status: typeof status === 'string' ? status : null,
    commandId: typeof commandId === 'string' ? commandId : '',
  };
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}
