// JSON Schemas of the bodies in the channel table, for the AsyncAPI document and the tests. Services do not validate
// messages of each other: each body was parsed where it entered the system.

const text = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const version = { type: 'integer', minimum: 1 } as const;
const flag = { type: 'boolean' } as const;
const object = { type: 'object' } as const;
const timestamp = { type: 'string', format: 'date-time' } as const;
const words = { type: 'array', items: text } as const;

function record<P extends Record<string, unknown>>(properties: P, optional: readonly (keyof P)[] = []) {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  } as const;
}

const reportEnvelopeSchema = record(
  {
    v: version,
    id: text,
    kind: { enum: ['report', 'decision', 'log_only', 'connected', 'disconnected', 'outcome'] },
    chargerId: text,
    incarnationId: text,
    connectionId: text,
    gatewayId: text,
    order: integer,
    seq: integer,
    ocppVersion: text,
    action: text,
    messageId: text,
    payload: {},
    repaired: { const: true },
    raw: text,
    rawBytes: integer,
    request: text,
    commandId: text,
    requestId: text,
    traceparent: text,
    sentAfter: integer,
    pendingStart: record({ rfidTag: text, socketId: integer }, ['socketId']),
    answer: text,
    receivedAt: timestamp,
    replyTo: text,
    deadline: timestamp,
    deviations: words,
  },
  [
    'payload',
    'repaired',
    'rawBytes',
    'request',
    'commandId',
    'requestId',
    'traceparent',
    'sentAfter',
    'pendingStart',
    'answer',
    'replyTo',
    'deadline',
    'deviations',
  ],
);

export const reportBatchSchema = record({ reports: { type: 'array', items: reportEnvelopeSchema, minItems: 1 } });

export const deadLetterSchema = {
  oneOf: [
    record({ v: version, report: reportEnvelopeSchema, reason: text, at: timestamp }),
    record({ v: version, id: text, text, reason: text, at: timestamp }),
  ],
} as const;

export const decisionAnswersSchema = record({
  answers: {
    type: 'array',
    items: record({ id: text, chargerId: text, payload: object, failed: flag }, ['payload', 'failed']),
  },
});

export const admissionRequestSchema = record(
  {
    chargerId: text,
    gatewayId: text,
    connectionId: text,
    passwordBase64: text,
    certificateNames: words,
    suspect: flag,
    network: text,
    knownNetworkOnly: flag,
    secure: flag,
    ocppVersion: { type: ['string', 'null'] },
  },
  ['passwordBase64', 'certificateNames', 'suspect', 'network', 'knownNetworkOnly'],
);

const compatibilitySchema = record({
  assumeOcpp16: flag,
  acceptHexKey: flag,
  zonelessIsUtc: flag,
  vendorFields: flag,
  nullFields: flag,
  overlongTexts: flag,
  numberTexts: flag,
  fractionalMeters: flag,
});

export const admissionAnswerSchema = {
  oneOf: [
    record({
      outcome: { const: 'accept' },
      incarnationId: text,
      order: integer,
      partitions: integer,
      compatibility: compatibilitySchema,
      deviations: words,
      securityProfile: { type: 'integer', minimum: 0, maximum: 3 },
    }),
    record({
      outcome: {
        enum: [
          ...['unknown', 'unauthorized', 'insecure', 'certificate_required', 'too_many_connections', 'busy'],
          ...['throttled', 'unavailable'],
        ],
      },
    }),
  ],
} as const;

const nullableText = { type: ['string', 'null'] } as const;

const connectionAttemptSchema = record({
  id: text,
  chargerId: nullableText,
  remoteAddress: nullableText,
  reason: text,
  protocols: words,
  requestId: text,
  at: timestamp,
  count: { type: 'integer', minimum: 1 },
});

export const connectionAttemptsSchema = record({
  attempts: { type: 'array', items: connectionAttemptSchema, minItems: 1 },
});

export const connectionAttemptsStoredSchema = record({ stored: integer });

export const commandRequestSchema = record(
  {
    v: version,
    commandId: text,
    chargerId: text,
    incarnationId: text,
    action: text,
    payload: object,
    timeoutMs: { type: 'integer', minimum: 1 },
    waitMs: { type: 'integer', minimum: 1 },
    requestId: text,
  },
  ['waitMs', 'requestId'],
);

export const callOutcomeSchema = {
  oneOf: [
    record({ outcome: { const: 'answered' }, payload: object }),
    record({ outcome: { const: 'error' }, code: text, description: text }),
    record({ outcome: { const: 'invalid_answer' }, description: text }),
    record({ outcome: { enum: ['timeout', 'disconnected', 'not_here', 'unsupported_version', 'busy'] } }),
  ],
} as const;

export const gatewayLeaseSchema = record({ gatewayId: text });

export const leaseAnswerSchema = record({ gatewayId: text, state: { enum: ['live', 'dead'] } });

export const closeConnectionSchema = record({
  chargerId: text,
  connectionId: text,
  reason: { enum: ['replaced', 'deleted', 'credentials_changed'] },
});

export const connectionClosedSchema = record({ connectionId: text, wasOpen: flag });

export const replicaTickSchema = record({ replicaId: text, count: integer });

export const replicaNoticeSchema = record({ replicaId: text, state: { enum: ['here', 'leaving'] }, at: timestamp });
