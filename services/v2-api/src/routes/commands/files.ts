// Commands for file transfers: diagnostics, logs, firmware.
import { newRequestId, type CommandDeps } from '@busbar/api';
import { field } from '@busbar/http';
import { encodeOperation } from '@busbar/ocpp';
import { route } from '../../route';
import { nullableInteger, nullableString, recordSchema, timestampSchema } from '../../schemas/values';
import { answerSchema, commandParts, send } from './command';

const locationSchema = { type: 'string', minLength: 1, maxLength: 512 } as const;

const attemptsSchemas = {
  retries: field({ type: 'integer', minimum: 0, maximum: 100 }, 'How often the charger may retry.'),
  retryIntervalS: { type: 'integer', minimum: 0, maximum: 86_400, description: 'Seconds between two attempts.' },
} as const;

const requestIdSchema = field(
  nullableInteger,
  "The number in the charger's progress messages. Null: its OCPP version has none.",
  null,
);

const nullableStatusSchema = field(nullableString, "The charger's status. Null: OCPP has none for this.", null);

export const diagnosticsRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/diagnostics',
    operationId: 'requestDiagnostics',
    summary: 'Request diagnostics or a log',
    description: 'The charger uploads a file. `GET /v2/chargers/{chargerId}/diagnostics` shows the progress.',
    body: {
      ...recordSchema(
        'DiagnosticsInput',
        'Where to upload what.',
        {
          location: {
            ...locationSchema,
            description: 'The URL of a folder that the charger can write to (ftp, https …).',
          },
        },
        {
          startTime: field(timestampSchema, 'Begin of the period of the file. Default: not limited.'),
          stopTime: field(timestampSchema, 'End of the period of the file. Default: not limited.'),
          ...attemptsSchemas,
          logType: {
            type: 'string',
            enum: ['DiagnosticsLog', 'SecurityLog', 'DataCollectorLog'],
            description:
              'Requests a log of the security extension (GetLog) instead of diagnostics. DataCollectorLog: OCPP 2.1.',
          },
        },
      ),
      examples: [{ location: 'ftp://files.example/uploads', startTime: '2026-01-31T00:00:00.000Z', retries: 3 }],
    },
    response: answerSchema('Diagnostics', "The charger's response. The upload follows.", {
      status: nullableStatusSchema,
      fileName: field(nullableString, 'Name of the file. Null: there is nothing to upload.', 'diagnostics.zip'),
      requestId: requestIdSchema,
    }),
    handler(call) {
      const input = { ...call.body, requestId: newRequestId() };
      return send(deps, call, encodeOperation('getDiagnostics', input, call.body));
    },
  });

export const firmwareRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/firmware',
    operationId: 'updateFirmware',
    summary: 'Update firmware',
    description: 'The charger downloads and installs it. `GET /v2/chargers/{chargerId}/firmware` shows the progress.',
    body: {
      ...recordSchema(
        'FirmwareInput',
        'The firmware and when to install it.',
        { location: { ...locationSchema, description: 'A URL that the charger can download from.' } },
        {
          retrieveAt: { ...timestampSchema, description: 'When to download it. Default: now.' },
          signed: recordSchema(
            'FirmwareSignature',
            'Requests a signed update of the security extension (SignedUpdateFirmware).',
            {
              signingCertificate: {
                type: 'string',
                minLength: 1,
                maxLength: 5500,
                description: 'Certificate of the signer, as PEM.',
              },
              signature: {
                type: 'string',
                minLength: 1,
                maxLength: 800,
                description: 'Signature of the firmware, as Base64.',
              },
            },
            { installAt: { ...timestampSchema, description: 'When to install it. Default: at once.' } },
          ),
          ...attemptsSchemas,
        },
      ),
      examples: [{ location: 'https://files.example/firmware-2.1.bin', retries: 3, retryIntervalS: 60 }],
    },
    response: answerSchema('Firmware', "The charger's response. The update follows.", {
      status: nullableStatusSchema,
      requestId: requestIdSchema,
    }),
    handler(call) {
      const { retrieveAt = deps.clock.now().toISOString(), signed, ...rest } = call.body;
      const input = { ...rest, ...signed, retrieveAt, requestId: newRequestId() };
      return send(deps, call, encodeOperation('updateFirmware', input, call.body));
    },
  });
