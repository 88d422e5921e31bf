// The format of scripts: steps that chargers take together. `README.md` describes it.
import { Ajv, type ErrorObject } from 'ajv';
import type { FromSchema } from 'json-schema-to-ts';
import { AppError, messageOf } from '@busbar/core';
import { isMap, LineCounter, parseDocument, type Document } from 'yaml';

const tag = { type: 'string', minLength: 1, maxLength: 20 } as const;
const socket = { type: 'integer', minimum: 1, maximum: 16 } as const;
const text = { type: 'string', minLength: 1, maxLength: 50 } as const;
const seconds = { type: 'number', minimum: 0, maximum: 3600 } as const;
const amount = { type: 'number', minimum: 0 } as const;
const NOTHING = { type: ['object', 'null'], properties: {}, additionalProperties: false } as const;

/** An alias may repeat a value so often: nested ones would grow without limit. */
const MAX_ALIASES = 100;

const STATUSES = [
  ...['Available', 'Preparing', 'Charging', 'SuspendedEVSE', 'SuspendedEV', 'Finishing', 'Reserved', 'Unavailable'],
  'Faulted',
] as const;
const status = { type: 'string', enum: STATUSES } as const;

const expectation = {
  type: 'object',
  minProperties: 1,
  properties: {
    within: seconds,
    socket,
    connected: { type: 'boolean' },
    booted: { type: 'boolean' },
    status,
    charging: { type: 'boolean' },
    tag,
    command: text,
    minPowerW: amount,
    maxPowerW: amount,
    minEnergyWh: amount,
    configuration: { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1 },
  },
  additionalProperties: false,
} as const;

const step = {
  type: 'object',
  properties: {
    on: { type: 'integer', minimum: 1, maximum: 10_000 },
    connect: {
      type: ['object', 'null'],
      properties: { refused: { type: 'integer', minimum: 400, maximum: 599 } },
      additionalProperties: false,
    },
    boot: {
      type: ['object', 'null'],
      properties: { result: { type: 'string', enum: ['Accepted', 'Pending', 'Rejected'] } },
      additionalProperties: false,
    },
    status: {
      type: 'object',
      properties: { socket, status, errorCode: text },
      required: ['socket', 'status'],
      additionalProperties: false,
    },
    authorize: {
      type: 'object',
      properties: {
        tag,
        result: { type: 'string', enum: ['Accepted', 'Blocked', 'Expired', 'Invalid', 'ConcurrentTx'] },
      },
      required: ['tag'],
      additionalProperties: false,
    },
    start: {
      type: 'object',
      properties: { socket, tag, result: { type: 'string', enum: ['Accepted', 'Refused'] } },
      required: ['tag'],
      additionalProperties: false,
    },
    meter: { type: ['object', 'null'], properties: { socket }, additionalProperties: false },
    stop: {
      type: ['object', 'null'],
      properties: {
        socket,
        tag,
        reason: { type: 'string', enum: ['EmergencyStop', 'EVDisconnected', 'Local', 'Other', 'PowerLoss', 'Reboot'] },
      },
      additionalProperties: false,
    },
    wait: seconds,
    disconnect: NOTHING,
    expect: expectation,
  },
  additionalProperties: false,
} as const;

const scriptSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 200 },
    chargers: { type: 'integer', minimum: 1, maximum: 10_000 },
    steps: { type: 'array', minItems: 1, maxItems: 1000, items: step },
  },
  required: ['steps'],
  additionalProperties: false,
} as const;

export type Script = FromSchema<typeof scriptSchema>;
export type Step = Script['steps'][number];
export type Expectation = NonNullable<Step['expect']>;

/** The steps that there are; each step of a script is one of them. */
export const STEP_NAMES = Object.keys(step.properties).filter((name) => name !== 'on') as Exclude<keyof Step, 'on'>[];

/** Reads a script in YAML or JSON. Throws `invalid_request` with the line of the first mistake. */
export function parseScript(file: string, source: string): Script {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken !== undefined) throw mistake(file, lines.linePos(broken.pos[0]).line, broken.message);
  spellOutSteps(document);
  const value = valueOf(document, file);
  const validate = new Ajv({ allowUnionTypes: true }).compile<Script>(scriptSchema);
  if (!validate(value)) {
    const [error] = validate.errors ?? [];
    const path = pathOf(error);
    throw mistake(file, lineOf(document, lines, path), textOf(path, error));
  }
  for (const [i, each] of value.steps.entries()) {
    const named = STEP_NAMES.filter((name) => each[name] !== undefined);
    if (named.length === 1) continue;
    const what = named.length === 0 ? 'names no step' : `names several steps (${named.join(', ')})`;
    throw mistake(file, lineOf(document, lines, ['steps', i]), `steps/${String(i)} ${what}: ${stepList()}`);
  }
  return value;
}

function valueOf(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw mistake(file, 1, messageOf(error));
  }
}

/** `- connect` means `- connect:`. */
function spellOutSteps(document: Document): void {
  const steps: unknown = isMap(document.contents) ? document.contents.get('steps') : undefined;
  const items = (steps as { items?: { value?: unknown; range?: unknown }[] } | undefined)?.items ?? [];
  for (const [i, item] of items.entries()) {
    if (typeof item.value !== 'string') continue;
    const node = document.createNode({ [item.value]: null });
    node.range = (item.range as typeof node.range) ?? null;
    items[i] = node;
  }
}

function pathOf(error: ErrorObject | undefined): (string | number)[] {
  const parts = (error?.instancePath ?? '').split('/').slice(1);
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** Returns the line of the closest node that the script has. */
function lineOf(document: Document, lines: LineCounter, path: readonly (string | number)[]): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined;
    if (node?.range !== undefined) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

function textOf(path: readonly (string | number)[], error: ErrorObject | undefined): string {
  const place = path.length === 0 ? 'the script' : path.join('/');
  const params = (error?.params ?? {}) as { additionalProperty?: string; allowedValues?: readonly string[] };
  const { additionalProperty: unknown, allowedValues } = params;
  if (unknown !== undefined) {
    const isStep = path.length === 2 && path[0] === 'steps';
    return `${place} has the unknown field "${unknown}"${isStep ? `: ${stepList()}` : ''}`;
  }
  const allowed = allowedValues === undefined ? '' : `: ${allowedValues.join(', ')}`;
  return `${place} ${error?.message ?? 'is invalid'}${allowed}`;
}

function stepList(): string {
  return `a step is one of ${STEP_NAMES.join(', ')}`;
}

function mistake(file: string, line: number, text: string): AppError {
  return new AppError('invalid_request', `${file}, line ${String(line)}: ${text}.`);
}
