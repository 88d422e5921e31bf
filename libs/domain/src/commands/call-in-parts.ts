// GetVariables, SetVariables, SetVariableMonitoring and ClearVariableMonitoring with more items than the charger takes in one message are
// several CALLs (rule 153). Its device model says how many it takes: `ItemsPerMessage` and `BytesPerMessage` (OCPP 2.0.1, B05, B06, N04, N06).
import { AppError, isAppError } from '@busbar/core';
import { readDeviceModel, type ShownDeviceModel } from '../device-model/read-device-model';
import { callCharger, type CallChargerDeps, type ChargerCommand, type ChargerOwner } from './call-charger';
import type { Commanded } from './record-command';

interface ReadVariable {
  readonly name: string;
  /** Null: the charger gave none. */
  readonly value: string | null;
}

export interface CommandInParts<Item, Answer> {
  readonly items: readonly Item[];
  /** The command with these items. */
  readonly commandOf: (items: readonly Item[]) => ChargerCommand<Answer>;
  /** The command that reads the variables of these names. */
  readonly reading: (names: readonly string[]) => ChargerCommand<{ readonly variables: readonly ReadVariable[] }>;
}

interface MessageLimits {
  readonly items?: number | undefined;
  readonly bytes?: number | undefined;
}

/** What every charger takes, where it does not say how much. */
const DEFAULT_ITEMS = 4;
/** `[2,"…","SetVariables",…]` around the payload, with the id of a message: a UUID. */
const FRAME_BYTES = 64;
/** The component with the limits of an action (OCPP 2.0.1, Part 2, Referenced Components and Variables). */
const LIMITED_BY: ReadonlyMap<string, string> = new Map([
  ['GetVariables', 'DeviceDataCtrlr'],
  ['SetVariables', 'DeviceDataCtrlr'],
  ['SetVariableMonitoring', 'MonitoringCtrlr'],
  ['ClearVariableMonitoring', 'MonitoringCtrlr'],
]);

/**
 * Calls the charger once, or in turn as often as it needs to take all items, and resolves with the answer of each CALL. Each is a command of
 * its own; all together have the time of one. Throws as `callCharger` does for the first that fails: those before it stand.
 */
export async function callInParts<Item, Answer extends object>(
  deps: CallChargerDeps,
  owner: ChargerOwner,
  request: CommandInParts<Item, Answer>,
): Promise<readonly (Answer & Commanded)[]> {
  const { items, commandOf } = request;
  const { clock } = deps;
  const until = clock.now().getTime() + commandOf(items).timeoutMs;
  const parts = await partsOf(deps, owner, request);
  const answers: (Answer & Commanded)[] = [];
  let answered = 0;
  for (const part of parts) {
    const timeoutMs = until - clock.now().getTime();
    try {
      if (timeoutMs <= 0) throw new AppError('charger_timeout', 'The charger did not answer every message in time.');
      answers.push(await callCharger(deps, owner, { ...commandOf(part), timeoutMs }));
    } catch (error) {
      throw answered === 0 ? error : withProgress(error, answered, items.length);
    }
    answered += part.length;
  }
  return answers;
}

function withProgress(error: unknown, answered: number, all: number): unknown {
  if (!isAppError(error)) return error;
  const progress = `The charger has answered the first ${String(answered)} of ${String(all)} items.`;
  return new AppError(error.code, `${error.message} ${progress}`, { details: error.details, cause: error.cause });
}

async function partsOf<Item>(
  deps: CallChargerDeps,
  owner: ChargerOwner,
  request: CommandInParts<Item, object>,
): Promise<readonly (readonly Item[])[]> {
  const { items } = request;
  // What fails is left to the command with all items, which is recorded.
  if (items.length < 2) return [items];
  const model = await readDeviceModel(deps, owner);
  const call = encodedFor(model, request);
  const sent = Object.values(call?.payload ?? {}).find((field) => Array.isArray(field));
  if (call === undefined || sent?.length !== items.length || !LIMITED_BY.has(call.action)) return [items];
  const { items: maxItems = DEFAULT_ITEMS, bytes } = await limitsOf(deps, owner, request, {
    model,
    action: call.action,
  });
  const sizes = sent.map((each) => Buffer.byteLength(JSON.stringify(each)));
  const [field = ''] = Object.keys(call.payload);
  const overhead = FRAME_BYTES + field.length;
  return split(items, { sizes, maxItems, maxBytes: bytes === undefined ? Infinity : bytes - overhead });
}

/** Undefined where the command with all items fails. */
function encodedFor<Item>({ charger }: ShownDeviceModel, { items, commandOf }: CommandInParts<Item, object>) {
  const { active, ocppVersion } = charger.connection;
  if (!active || ocppVersion === null) return undefined;
  try {
    return commandOf(items).encode(ocppVersion);
  } catch (error) {
    if (isAppError(error)) return undefined;
    throw error;
  }
}

interface Measures {
  /** Of each item. */
  readonly sizes: readonly number[];
  readonly maxItems: number;
  readonly maxBytes: number;
}

/** An item that is longer than a message may be is sent by itself: the charger refuses it, or takes it all the same. */
function split<Item>(items: readonly Item[], { sizes, maxItems, maxBytes }: Measures): readonly (readonly Item[])[] {
  const parts: Item[][] = [];
  let bytes = 0;
  for (const [n, item] of items.entries()) {
    const size = (sizes[n] ?? 0) + 1;
    const part = parts.at(-1);
    if (part === undefined || part.length >= maxItems || bytes + size > maxBytes) {
      parts.push([item]);
      bytes = size;
    } else {
      part.push(item);
      bytes += size;
    }
  }
  return parts;
}

/** As the charger has reported them; read from it where they are not known and the message may be too long. */
async function limitsOf(
  deps: CallChargerDeps,
  owner: ChargerOwner,
  { items, reading }: Pick<CommandInParts<unknown, object>, 'items' | 'reading'>,
  { model, action }: { readonly model: ShownDeviceModel; readonly action: string },
): Promise<MessageLimits> {
  const known = model.variables.map(({ name, attributes }) => {
    return { name, value: attributes.find(({ type }) => type === 'Actual')?.value ?? null };
  });
  const limits = limitsIn(known, action);
  if (limits.items !== undefined || items.length <= DEFAULT_ITEMS) return limits;
  try {
    const names = [limitName('Items', action), limitName('Bytes', action)];
    return limitsIn((await callCharger(deps, owner, reading(names))).variables, action);
  } catch (error) {
    // A charger that cannot read them may take the message.
    if (isAppError(error) && error.code === 'charger_error') return limits;
    throw error;
  }
}

function limitsIn(variables: readonly ReadVariable[], action: string): MessageLimits {
  const values = new Map(variables.map(({ name, value }) => [name.toLowerCase(), Number(value ?? undefined)]));
  const limit = (of: 'Items' | 'Bytes'): number | undefined => {
    const value = values.get(limitName(of, action).toLowerCase()) ?? 0;
    return Number.isInteger(value) && value > 0 ? value : undefined;
  };
  return { items: limit('Items'), bytes: limit('Bytes') };
}

function limitName(of: 'Items' | 'Bytes', action: string): string {
  return `${LIMITED_BY.get(action) ?? ''}.${of}PerMessage[${action}]`;
}
