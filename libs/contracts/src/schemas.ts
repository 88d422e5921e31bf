// JSON Schemas of the bodies in the channel table. The AsyncAPI document is built from them and tests hold real bodies
// against them; between services nothing is validated twice, since each body was parsed at the edge it came in by.

const text = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const flag = { type: 'boolean' } as const;
const object = { type: 'object' } as const;
const instant = { type: 'string', format: 'date-time' } as const;
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
    id: text,
    kind: { enum: ['report', 'decision', 'noted', 'connected', 'disconnected', 'outcome'] },
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
    raw: text,
    request: text,
    commandId: text,
    sentAfter: integer,
    answer: text,
    receivedAt: instant,
    replyTo: text,
    deadline: instant,
    deviations: words,
    detail: text,
  },
  ['payload', 'request', 'commandId', 'sentAfter', 'answer', 'replyTo', 'deadline', 'deviations', 'detail'],
);

export const reportBatchSchema = record({ reports: { type: 'array', items: reportEnvelopeSchema, minItems: 1 } });

export const deadLetterSchema = {
  oneOf: [
    record({ report: reportEnvelopeSchema, reason: text, at: instant }),
    record({ id: text, text, reason: text, at: instant }),
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
    secure: flag,
    ocppVersion: { type: ['string', 'null'] },
  },
  ['passwordBase64', 'certificateNames', 'suspect'],
);

const compatibilitySchema = record({
  assumeOcpp16: flag,
  acceptHexKey: flag,
  zonelessIsUtc: flag,
  vendorFields: flag,
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
    }),
    record({
      outcome: {
        enum: [
          ...['unknown', 'unauthorized', 'insecure', 'certificate_required', 'too_many_connections', 'busy'],
          'unavailable',
        ],
      },
    }),
  ],
} as const;

export const commandRequestSchema = record(
  {
    commandId: text,
    chargerId: text,
    incarnationId: text,
    action: text,
    payload: object,
    timeoutMs: { type: 'integer', minimum: 1 },
    waitMs: { type: 'integer', minimum: 1 },
  },
  ['waitMs'],
);

export const commandAnswerSchema = {
  oneOf: [
    record({ outcome: { const: 'answered' }, payload: object }),
    record({ outcome: { const: 'error' }, code: text, description: text }),
    record({ outcome: { const: 'invalid_answer' }, description: text }),
    record({ outcome: { enum: ['timeout', 'disconnected', 'not_here', 'busy'] } }),
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

export const replicaNoticeSchema = record({ replicaId: text, state: { enum: ['here', 'leaving'] } });
