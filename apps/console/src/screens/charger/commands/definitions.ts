// The commands that the console offers: their form, and the request of the API that they become. Pure.
import { objectOf } from '../../../parts/json-object';
import { commandsTexts } from '../../../texts/commands';

export const RAW_CALL = 'call';

export type Value = string | number | boolean;

export interface CommandRequest {
  readonly key: CommandKey;
  /** What the button has decided already, such as the socket. */
  readonly fixed: Readonly<Record<string, Value>>;
}

export interface CommandField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'number' | 'check' | 'choice' | 'json' | 'time';
  readonly options?: readonly string[];
  readonly required?: boolean;
  readonly hint?: string;
  readonly initial?: string;
}

export interface CommandDefinition {
  readonly title: string;
  /** The last part of the path below the charger. */
  readonly path: string;
  readonly fields: readonly CommandField[];
  /** What the command does, where the title does not say it. */
  readonly note?: string;
}

export type CommandKey = keyof typeof DEFINITIONS;

const t = commandsTexts;
const socket: CommandField = { name: 'socketId', label: t.socket, kind: 'number', hint: t.socketHint };
const tag: CommandField = { name: 'rfidTag', label: t.tag, kind: 'text', required: true };
const url = (hint: string): CommandField => ({
  name: 'location',
  label: t.location,
  kind: 'text',
  required: true,
  hint,
});

const DEFINITIONS = {
  start: {
    title: t.startTitle,
    path: 'start-charging',
    fields: [
      { ...socket, required: true },
      tag,
      { name: 'validateRfid', label: t.validate, kind: 'check', hint: t.validateHint },
    ],
  },
  stop: {
    title: t.stopTitle,
    path: 'stop-transaction',
    fields: [{ name: 'transactionId', label: t.transaction, kind: 'number', required: true }],
  },
  unlock: { title: t.unlockTitle, path: 'unlock', fields: [{ ...socket, required: true }], note: t.unlockNote },
  availability: {
    title: t.availabilityTitle,
    path: 'availability',
    fields: [
      { name: 'type', label: t.availability, kind: 'choice', options: ['Operative', 'Inoperative'], required: true },
      socket,
    ],
    note: t.availabilityNote,
  },
  reset: {
    title: t.reset,
    path: 'reset',
    fields: [
      {
        name: 'type',
        label: t.resetType,
        kind: 'choice',
        options: ['Soft', 'Hard'],
        required: true,
        hint: t.resetHint,
      },
    ],
  },
  trigger: {
    title: t.trigger,
    path: 'trigger-message',
    fields: [
      {
        name: 'message',
        label: t.message,
        kind: 'choice',
        required: true,
        options: [
          'StatusNotification',
          'MeterValues',
          'Heartbeat',
          'BootNotification',
          'FirmwareStatusNotification',
          'DiagnosticsStatusNotification',
          'LogStatusNotification',
          'SignChargePointCertificate',
        ],
      },
      socket,
    ],
  },
  clearCache: { title: t.clearCache, path: 'clear-cache', fields: [], note: t.clearCacheNote },
  diagnostics: { title: t.diagnostics, path: 'diagnostics', fields: [url(t.diagnosticsHint)] },
  firmware: {
    title: t.firmware,
    path: 'firmware',
    fields: [url(t.firmwareHint), { name: 'retrieveAt', label: t.retrieveAt, kind: 'time', hint: t.retrieveHint }],
  },
  dataTransfer: {
    title: t.dataTransfer,
    path: 'data-transfer',
    fields: [
      { name: 'vendorId', label: t.vendorId, kind: 'text', required: true },
      { name: 'messageId', label: t.messageId, kind: 'text' },
      { name: 'data', label: t.data, kind: 'text' },
    ],
  },
  reserve: {
    title: t.reserveTitle,
    path: 'reservations',
    fields: [socket, tag, { name: 'expiresAt', label: t.expiresAt, kind: 'time', required: true }],
  },
  profile: {
    title: t.profile,
    path: 'charging-profile',
    fields: [
      socket,
      { name: 'chargingProfile', label: t.profileJson, kind: 'json', required: true, initial: exampleProfile() },
    ],
  },
  [RAW_CALL]: {
    title: t.call,
    path: 'calls',
    fields: [
      { name: 'action', label: t.action, kind: 'text', required: true, hint: t.actionHint },
      { name: 'payload', label: t.payload, kind: 'json', initial: '{}' },
    ],
    note: t.callNote,
  },
} as const satisfies Record<string, CommandDefinition>;

export const COMMANDS: Record<CommandKey, CommandDefinition> = DEFINITIONS;

/** What the menu of a charger offers, in this order. */
export const CHARGER_COMMANDS: readonly CommandKey[] = [
  'availability',
  'trigger',
  'clearCache',
  'reserve',
  'profile',
  'diagnostics',
  'firmware',
  'dataTransfer',
];

export type BodyOrIssues =
  { readonly body: Readonly<Record<string, unknown>> } | { readonly issues: Readonly<Record<string, string>> };

/** The body of the request out of the form; an empty optional field is left out. */
export function bodyOf(
  { fields }: CommandDefinition,
  values: Readonly<Record<string, string | boolean>>,
  fixed: Readonly<Record<string, Value>>,
): BodyOrIssues {
  const body: Record<string, unknown> = { ...fixed };
  const issues: Record<string, string> = {};
  for (const field of fields) {
    const value = values[field.name];
    if (field.name in fixed || value === undefined || value === '') continue;
    if (field.kind === 'json') {
      const parsed = objectOf(String(value));
      if (parsed === undefined) issues[field.name] = commandsTexts.noJson;
      else body[field.name] = parsed;
    } else if (field.kind === 'number') body[field.name] = Number(value);
    else if (field.kind === 'time') body[field.name] = new Date(String(value)).toISOString();
    else body[field.name] = value;
  }
  return Object.keys(issues).length === 0 ? { body } : { issues };
}

function exampleProfile(): string {
  return JSON.stringify(
    {
      chargingProfileId: 1,
      stackLevel: 0,
      chargingProfilePurpose: 'TxDefaultProfile',
      chargingProfileKind: 'Relative',
      chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
    },
    undefined,
    2,
  );
}
