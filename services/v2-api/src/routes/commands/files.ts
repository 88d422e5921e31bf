// Commands for file transfers: diagnostics, logs, firmware.
import { newRequestId, type CommandDeps } from '@busbar/api';
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
  description: "The number in the charger's progress messages; null where its OCPP version has none.",
} as const;

const nullableStatusSchema = {
  type: ['string', 'null'],
  description: "The charger's status; null where OCPP has none for this.",
} as const;

export const diagnosticsRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/diagnostics',
    summary: 'Request diagnostics or a log',
    body: {
      title: 'DiagnosticsInput',
      type: 'object',
      properties: {
        location: {
          ...locationSchema,
          description: 'The URL of a folder that the charger can write to (ftp, https …).',
        },
        startTime: timestampSchema,
        stopTime: timestampSchema,
        ...attemptsSchemas,
        logType: {
          type: 'string',
          enum: ['DiagnosticsLog', 'SecurityLog'],
          description: 'Requests a log of the security extension (GetLog) instead of diagnostics.',
        },
      },
      required: ['location'],
      additionalProperties: false,
      examples: [{ location: 'ftp://files.example/uploads', startTime: '2026-01-31T00:00:00.000Z', retries: 3 }],
    },
    response: recordSchema('Diagnostics', {
      chargerId: { type: 'string' },
      status: nullableStatusSchema,
      fileName: { type: ['string', 'null'], description: 'Null: there is nothing to upload.' },
      requestId: requestIdSchema,
      ...commandedSchemas,
    }),
    handler: (call) => send(deps, call, encodeOperation('getDiagnostics', { ...call.body, requestId: newRequestId() })),
  });

export const firmwareRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/firmware',
    summary: 'Update firmware',
    body: {
      title: 'FirmwareInput',
      type: 'object',
      properties: {
        location: { ...locationSchema, description: 'A URL that the charger can download from.' },
        retrieveAt: { ...timestampSchema, description: 'When to download it. Default: now.' },
        signed: {
          title: 'FirmwareSignature',
          type: 'object',
          description: 'Requests a signed update of the security extension (SignedUpdateFirmware).',
          properties: {
            signingCertificate: { type: 'string', minLength: 1, maxLength: 5500, description: 'PEM.' },
            signature: { type: 'string', minLength: 1, maxLength: 800, description: 'Base64.' },
            installAt: { ...timestampSchema, description: 'When to install it. Default: at once.' },
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
