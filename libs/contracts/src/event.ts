// The events of a client's feed: each type, when it is made, its data and the permission that its readers need. A new type is
// one entry here, one example in `event-examples.ts` and its producer. Fields may be added to `data`, never renamed or removed.
import {
  anything,
  flag,
  integer,
  list,
  literal,
  nullableInteger,
  nullableNumber,
  nullableText,
  nullableTimestamp,
  positive,
  record,
  text,
  timestamp,
  type Schema,
  type ValueOf,
} from './schema';

/** The permission of an API key that reads events of a type. */
export type EventPermission = 'chargers:read' | 'sessions:read' | 'tags:read' | 'logs:read' | 'webhooks:read';

export interface EventType<Data = unknown> {
  /** One sentence: when the event is made. */
  readonly when: string;
  readonly needs: EventPermission;
  readonly data: Schema<Data>;
}

const sockets = list(record({ socketId: integer, state: text }));

const socketState = record({
  /** 0: the charger itself. */
  socketId: integer,
  state: text,
  /** Null before the first status. */
  previousState: nullableText,
  errorCode: text,
  vendorErrorCode: text,
  info: text,
  /** By the charger's clock. Null where it reported no readable time. */
  deviceTime: nullableTimestamp,
});

const STARTED = {
  transactionId: positive,
  socketId: integer,
  rfidTag: text,
  startTime: timestamp,
  /** Wh. Null: no register was reported, or the start is not known (OCPP 2.x). */
  meterStart: nullableNumber,
  verdict: text,
  startedBy: literal('remote', 'local'),
  commandId: nullableText,
  /** The charger reported the start long after it. */
  offline: flag,
};

const measurement = record({
  deviceTime: nullableTimestamp,
  /** As sent. */
  value: text,
  measurand: nullableText,
  phase: nullableText,
  unit: nullableText,
  context: nullableText,
  location: nullableText,
});

const progress = record({ status: text, requestId: nullableInteger, deviceTime: nullableTimestamp });

/** In a body of more than 20 kB long values are left out. */
const truncated = { truncated: literal(true) };

export const EVENT_TYPES = {
  'charger.created': type('The owner registered the charger.', 'chargers:read', record({ name: text })),
  'charger.updated': type(
    'The owner changed the registration, and with it the ETag. `*` stands for any field.',
    'chargers:read',
    record({ changed: list(text) }),
  ),
  'charger.deleted': type('The owner deleted the charger: its last event.', 'chargers:read', record({})),
  'charger.connected': type(
    'The connection became active, or a newer connection replaced it.',
    'chargers:read',
    record({ ocppVersion: nullableText, connectedSince: nullableTimestamp, replaced: flag, sockets }),
  ),
  'charger.disconnected': type(
    'The connection ended. There is no such event for a connection that a newer one replaced.',
    'chargers:read',
    record({ reason: literal('closed', 'lapsed', 'deleted'), sockets }),
  ),
  'charger.booted': type(
    'The charger sent BootNotification.',
    'chargers:read',
    record({
      manufacturer: text,
      model: text,
      serial: text,
      firmware: text,
      iccid: text,
      imsi: text,
      meterType: text,
      meterSerialNumber: text,
      /** Null before the first boot. */
      previousFirmware: nullableText,
    }),
  ),
  'charger.state_changed': type(
    "The charger's own state, as the API shows it, has changed.",
    'chargers:read',
    record({ state: text, previousState: text }),
  ),
  'socket.state_changed': type('The state or error code of a socket has changed.', 'chargers:read', socketState),
  'socket.state_reported': type(
    'The charger reported a status that changed nothing. `state` is the reported one.',
    'chargers:read',
    socketState,
  ),
  'session.started': type('A session began: once for each session.', 'sessions:read', record(STARTED)),
  'session.ended': type(
    'A session ended, or its stop was lost or its charger deleted (`superseded`). A later stop, or a late message that changes the end, makes another one.',
    'sessions:read',
    record({
      ...STARTED,
      endTime: nullableTimestamp,
      /** Wh */
      meterStop: nullableNumber,
      consumptionWh: nullableNumber,
      stopReason: nullableText,
      superseded: flag,
    }),
  ),
  'meter.values': type(
    'The charger sent MeterValues, or a stop with transactionData.',
    'sessions:read',
    record({ transactionId: nullableInteger, socketId: nullableInteger, measurements: list(measurement) }, truncated),
  ),
  'tag.checked': type(
    'Authorize was answered. `tookMs` is null where no endpoint was asked.',
    'tags:read',
    record({
      rfidTag: text,
      verdict: text,
      source: literal('own', 'endpoint', 'fallback', 'open'),
      tookMs: nullableInteger,
    }),
  ),
  'command.completed': type(
    "A CALL to the charger ended. `outcome` is the status of the charger's response, or an error code of docs/errors.md.",
    'chargers:read',
    record({ commandId: nullableText, operation: text, outcome: text }),
  ),
  'charger.firmware_status': type('The charger reported progress of a firmware update.', 'chargers:read', progress),
  'charger.diagnostics_status': type(
    'The charger reported progress of an upload of diagnostics or of its log.',
    'chargers:read',
    progress,
  ),
  'charger.security_event': type(
    'The charger reported a security event.',
    'logs:read',
    record({ type: text, techInfo: nullableText, deviceTime: nullableTimestamp }, truncated),
  ),
  'charger.certificate_refused': type(
    'The charger did not accept a certificate that it was sent by CertificateSigned: it rejected it, or did not answer.',
    'chargers:read',
    record({ outcome: text, certificateType: nullableText }),
  ),
  'charger.data_transfer': type(
    'The charger sent DataTransfer.',
    'logs:read',
    record({ vendorId: text, messageId: nullableText, data: anything }, truncated),
  ),
  'webhook.disabled': type(
    'A webhook was disabled, because its receiver failed too long.',
    'webhooks:read',
    record({ webhookId: text, reason: text }),
  ),
  'webhook.test': type('The owner tested a webhook.', 'webhooks:read', record({ webhookId: text })),
} as const;

export type EventName = keyof typeof EVENT_TYPES;

/** The data of one type. */
export type EventData<Name extends EventName> = ValueOf<(typeof EVENT_TYPES)[Name]['data']>;

/** An event as its readers get it. */
export interface FeedEvent<Name extends EventName = EventName> {
  /** `evt_{incarnationId}_{sequence}` for an event of a charger. */
  readonly id: string;
  readonly type: Name;
  /** When the service learned of it. The charger's own time is `data.deviceTime`. */
  readonly timestamp: string;
  /** Counts the events of one registration of a charger from 1, without a gap. Null for events of webhooks. */
  readonly sequence: number | null;
  readonly chargerId: string | null;
  readonly siteId: number | null;
  readonly externalSiteId: string | null;
  readonly data: EventData<Name>;
}

/** The JSON Schema of an event of that type. */
export function eventSchema(name: EventName): Schema<FeedEvent> {
  const type = EVENT_TYPES[name];
  const envelope = record({
    id: text,
    type: literal(name),
    timestamp,
    sequence: nullableInteger,
    chargerId: nullableText,
    siteId: nullableInteger,
    externalSiteId: nullableText,
    data: type.data,
  });
  return { ...envelope, description: type.when };
}

function type<Data>(when: string, needs: EventPermission, data: Schema<Data>): EventType<Data> {
  return { when, needs, data };
}
