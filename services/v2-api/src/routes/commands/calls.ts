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
      ...commandedSchemas,
    }),
    // Too many keys for the charger are undecided.
    errors: [...COMMAND_ERRORS, ...TAG_ERRORS, 'conflict'],
    handler(call) {
      const { action, payload = {} } = call.body;
      const owner = ownerOf(call);
      const command = commandOf(deps, call, encodeRawCall(action, payload));
      // Also in OCPP's own words a blocked or expired tag is refused before the charger starts.
      const rfidTag = action === 'RemoteStartTransaction' ? payload['idTag'] : undefined;
      if (typeof rfidTag !== 'string') return callCharger(deps, owner, command);
      const check = tagCheck(deps, owner, { socketId: 0, rfidTag, validateRfid: false });
      return callCharger(deps, owner, { ...command, check });
    },
  });
