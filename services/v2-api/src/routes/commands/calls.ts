import { callCharger, TAG_ERRORS, tagCheck } from '@busbar/domain/commands';
import { COMMAND_ERRORS, commandOf, ownerOf, type CommandDeps } from '@busbar/api';
import { encodeRawCall } from '@busbar/ocpp';
import { route } from '../../route';
import { recordSchema } from '../../schemas/values';
import { commandedSchemas, commandParts } from './command';

export const rawCallRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/calls',
    summary: 'Send an OCPP call',
    description: [
      "Any action that a central system may send. The payload must match the schema of the charger's OCPP version exactly.",
      'Actions of the security extension: ExtendedTriggerMessage, GetLog, SignedUpdateFirmware, InstallCertificate,',
      'DeleteCertificate, GetInstalledCertificateIds, CertificateSigned.',
    ].join(' '),
    body: {
      title: 'RawCall',
      type: 'object',
      properties: {
        action: { type: 'string', minLength: 1, maxLength: 64 },
        payload: { type: 'object', description: 'Default: empty.' },
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
      status: { type: ['string', 'null'], description: "The response's `status`; null where the action has none." },
      payload: { type: 'object', description: "The charger's response. Passwords and keys are masked." },
      ...commandedSchemas,
    }),
    // Too many key changes of the charger are pending.
    errors: [...COMMAND_ERRORS, ...TAG_ERRORS, 'conflict'],
    handler(call) {
      const { action, payload = {} } = call.body;
      const owner = ownerOf(call);
      const command = commandOf(deps, call, encodeRawCall(action, payload));
      // A raw call must not start a session with a blocked or expired tag either.
      const rfidTag = action === 'RemoteStartTransaction' ? payload['idTag'] : undefined;
      if (typeof rfidTag !== 'string') return callCharger(deps, owner, command);
      const check = tagCheck(deps, owner, { socketId: 0, rfidTag, validateRfid: false });
      return callCharger(deps, owner, { ...command, check });
    },
  });
