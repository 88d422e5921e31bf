import { AppError, createId, isAppError, type Clock } from '@busbar/core';
import type { CommandEnd, CommandWriter } from './command-record';
import { toTimestamp } from '../timestamp';

/** With the retention of a day: one command every 43 seconds. */
const MAX_PER_CHARGER = 2_000;
/** A longer response is stored as its status only. */
const MAX_RESPONSE_CHARACTERS = 16_384;

/** A command's input as stored. */
export interface SerializedInput {
  /** JSON, secrets masked; shortened where `bytes` is present. */
  readonly text: string;
  /** The UTF-8 length of the whole text, where `text` is shortened. */
  readonly bytes?: number;
}

export interface RecordCommandDeps {
  readonly commands: CommandWriter;
  readonly clock: Clock;
  /** Masks secrets and limits the text. */
  readonly serializeInput: (input: object) => SerializedInput;
}

/** The sender and the input of a command. */
export interface CommandFacts {
  readonly clientId: string;
  readonly chargerId: string;
  readonly operation: string;
  readonly input: object;
  readonly requestedBy: string;
  readonly requestId: string;
}

export interface Commanded {
  readonly commandId: string;
}

/**
 * Runs a command under a new id and records its end. The result has the id; an AppError of `run` has it among its
 * details. Rejects with `unavailable`, and runs nothing, where the command cannot be recorded.
 */
export async function recordCommand<Answer extends object>(
  deps: RecordCommandDeps,
  { input, ...facts }: CommandFacts,
  run: (commandId: string) => Promise<Answer>,
): Promise<Answer & Commanded> {
  const { commands, clock } = deps;
  const commandId = createId(clock.now().getTime());
  const requestedAt = toTimestamp(clock.now());
  const open = { outcome: 'in_progress', response: null, completedAt: null } as const;
  const { text: request, bytes: requestBytes } = deps.serializeInput(input);
  const asked = { ...facts, request, ...(requestBytes === undefined ? {} : { requestBytes }), requestedAt };
  await commands.begin({ commandId, ...asked, ...open }, MAX_PER_CHARGER);
  const complete = (end: Omit<CommandEnd, 'completedAt'>): Promise<void> =>
    completed(commands, commandId, { ...end, completedAt: toTimestamp(clock.now()) });
  let answer: Answer;
  try {
    answer = await run(commandId);
  } catch (error) {
    await complete(failureOf(error));
    throw withCommandId(error, commandId);
  }
  await complete({ outcome: 'answered', response: storedResponse(answer) });
  return { ...answer, commandId };
}

/** The caller gets the charger's answer even where recording its end fails. The store logs its failures. */
async function completed(commands: CommandWriter, commandId: string, end: CommandEnd): Promise<void> {
  await commands.complete(commandId, end).catch(() => undefined);
}

function failureOf(error: unknown): Omit<CommandEnd, 'completedAt'> {
  if (!isAppError(error)) return { outcome: 'internal', response: null };
  const { chargerError } = error.details;
  const response = typeof chargerError === 'object' && chargerError !== null ? storedResponse(chargerError) : null;
  return { outcome: error.code, response };
}

function withCommandId(error: unknown, commandId: string): unknown {
  if (!isAppError(error)) return error;
  return new AppError(error.code, error.message, { details: { ...error.details, commandId }, cause: error.cause });
}

function storedResponse(response: object): string {
  const text = JSON.stringify(response);
  if (text.length <= MAX_RESPONSE_CHARACTERS) return text;
  const status = 'status' in response && typeof response.status === 'string' ? { status: response.status } : {};
  return JSON.stringify(status);
}
