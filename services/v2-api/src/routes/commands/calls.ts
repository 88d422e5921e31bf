import { callCharger, COMMAND_ERRORS, commandOf, ownerOf, type CommandDeps } from '@busbar/domain';
import { wordRawCall } from '@busbar/ocpp';
import { route } from '../../route';
import { recordSchema } from '../../schemas/values';
import { commandParts } from './command';

export const rawCallRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/calls',
    summary: 'Send any OCPP call that is ours to send',
    description: [
      "The payload is held against the schema of the charger's OCPP version, to the letter.",
      'Those of the security extension among them: ExtendedTriggerMessage, GetLog, SignedUpdateFirmware, InstallCertificate,',
      'DeleteCertificate, GetInstalledCertificateIds, CertificateSigned.',
    ].join(' '),
    body: {
      title: 'RawCall',
      type: 'object',
      properties: {
        action: { type: 'string', minLength: 1, maxLength: 64 },
        payload: { type: 'object', description: 'Absent: an empty one.' },
      },
      required: ['action'],
      additionalProperties: false,
      examples: [
        {
          action: 'GetInstalledCertificateIds',
          payload: { certificateType: 'CentralSystemRootCertificate' },
        },
      ],
    },
    response: recordSchema('RawAnswer', {
      status: { type: ['string', 'null'], description: "The answer's own `status`; null where its action has none." },
      payload: { type: 'object', description: "The charger's answer. Passwords and keys are masked." },
    }),
    // Too many keys for the charger are undecided.
    errors: [...COMMAND_ERRORS, 'conflict'],
    handler(call) {
      const { action, payload = {} } = call.body;
      return callCharger(deps, ownerOf(call), commandOf(deps, call, wordRawCall(action, payload)));
    },
  });
