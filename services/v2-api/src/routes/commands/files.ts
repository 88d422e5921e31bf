// What a charger loads up or down: diagnostics, logs, firmware.
import { newRequestId } from '@busbar/api';
import { type CommandDeps } from '@busbar/api';
import { encodeOperation } from '@busbar/ocpp';
import { route } from '../../route';
import { timestampSchema, recordSchema } from '../../schemas/values';
import { commandedSchemas, commandParts, send } from './command';

const locationSchema = { type: 'string', minLength: 1, maxLength: 512 } as const;

const attemptsSchemas = {
  retries: { type: 'integer', minimum: 0, maximum: 100 },
  retryIntervalS: { type: 'integer', minimum: 0, maximum: 86_400, description: 'Seconds between two attempts.' },
} as const;

const requestIdSchema = {
  type: ['integer', 'null'],
  description: "What the charger's progress messages name it by; null where its OCPP version has no such number.",
} as const;

const nullableStatusSchema = {
  type: ['string', 'null'],
  description: "The charger's own word; null where OCPP has none for this.",
} as const;

export const diagnosticsRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/diagnostics',
    summary: 'Have a charger upload its diagnostics or a log',
    body: {
      title: 'DiagnosticsInput',
      type: 'object',
      properties: {
        location: {
          ...locationSchema,
          description: 'Where to: a folder that the charger may write to (ftp, https …).',
        },
        startTime: timestampSchema,
        stopTime: timestampSchema,
        ...attemptsSchemas,
        logType: {
          type: 'string',
          enum: ['DiagnosticsLog', 'SecurityLog'],
          description: 'Asks for a log by the security extension (GetLog) instead of the diagnostics.',
        },
      },
      required: ['location'],
      additionalProperties: false,
      examples: [{ location: 'ftp://files.example/uploads', startTime: '2026-01-31T00:00:00.000Z', retries: 3 }],
    },
    response: recordSchema('Diagnostics', {
      chargerId: { type: 'string' },
      status: nullableStatusSchema,
      fileName: { type: ['string', 'null'], description: 'null: there is nothing to upload.' },
      requestId: requestIdSchema,
      ...commandedSchemas,
    }),
    handler: (call) => send(deps, call, encodeOperation('getDiagnostics', { ...call.body, requestId: newRequestId() })),
  });

export const firmwareRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/firmware',
    summary: 'Have a charger update its firmware',
    body: {
      title: 'FirmwareInput',
      type: 'object',
      properties: {
        location: { ...locationSchema, description: 'Where from: an address that the charger can load.' },
        retrieveAt: { ...timestampSchema, description: 'When to load it; absent: now.' },
        signed: {
          title: 'FirmwareSignature',
          type: 'object',
          description: 'Makes it a signed update of the security extension (SignedUpdateFirmware).',
          properties: {
            signingCertificate: { type: 'string', minLength: 1, maxLength: 5500, description: 'PEM.' },
            signature: { type: 'string', minLength: 1, maxLength: 800, description: 'Base64.' },
            installAt: { ...timestampSchema, description: 'When to install it; absent: at once.' },
          },
          required: ['signingCertificate', 'signature'],
          additionalProperties: false,
        },
        ...attemptsSchemas,
      },
      required: ['location'],
      additionalProperties: false,
      examples: [{ location: 'https://files.example/firmware-2.1.bin', retries: 3, retryIntervalS: 60 }],
    },
    response: recordSchema('Firmware', {
      chargerId: { type: 'string' },
      status: nullableStatusSchema,
      requestId: requestIdSchema,
      ...commandedSchemas,
    }),
    handler(call) {
      const { retrieveAt = deps.clock.now().toISOString(), signed, ...rest } = call.body;
      const input = { ...rest, ...signed, retrieveAt, requestId: newRequestId() };
      return send(deps, call, encodeOperation('updateFirmware', input));
    },
  });
