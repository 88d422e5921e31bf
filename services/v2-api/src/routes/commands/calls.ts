import { callCharger, TAG_ERRORS, tagCheck } from '@busbar/domain/commands';
import { COMMAND_ERRORS, commandOf, ownerOf, type CommandDeps } from '@busbar/api';
import { encodeRawCall } from '@busbar/ocpp';
import { field } from '@busbar/http';
import { route } from '../../route';
import { nullableString, recordSchema } from '../../schemas/values';
import { commandedSchemas, commandParts, requirePermission } from './command';

/** Changes of certificates and network profiles, as the operations of their own (rule 167). */
const WRITING: ReadonlyMap<string, string> = new Map([
  ['InstallCertificate', 'a change of certificates'],
  ['DeleteCertificate', 'a change of certificates'],
  ['CertificateSigned', 'a change of certificates'],
  ['SetNetworkProfile', 'a network profile'],
]);

export const rawCallRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/calls',
    operationId: 'sendCall',
    summary: 'Send an OCPP call',
    description: [
      "Any action that a central system may send. The payload must match the schema of the charger's OCPP version exactly.",
      'Actions of the security extension: ExtendedTriggerMessage, GetLog, SignedUpdateFirmware, InstallCertificate,',
      'DeleteCertificate, GetInstalledCertificateIds, CertificateSigned. The stored record follows the response as after the operation.',
      'InstallCertificate, DeleteCertificate, CertificateSigned and SetNetworkProfile also require the permission `chargers:write`.',
    ].join(' '),
    body: {
      ...recordSchema(
        'RawCall',
        'An OCPP call.',
        { action: field({ type: 'string', minLength: 1, maxLength: 64 }, 'The action, as OCPP spells it.') },
        {
          payload: field({ type: 'object' }, "The payload, as the charger's OCPP version defines it. Default: empty."),
        },
      ),
      examples: [
        {
          action: 'GetInstalledCertificateIds',
          payload: { certificateType: 'CentralSystemRootCertificate' },
        },
      ],
    },
    response: recordSchema('RawAnswer', "The charger's response.", {
      status: field(nullableString, "The response's `status`. Null: the action has none.", 'Accepted'),
      payload: field({ type: 'object' }, "The charger's response. Passwords and keys are masked.", {
        status: 'Accepted',
        certificateHashData: [],
      }),
      ...commandedSchemas,
    }),
    // Too many key changes of the charger are pending.
    errors: [...COMMAND_ERRORS, ...TAG_ERRORS, 'conflict', 'forbidden'],
    handler(call) {
      const { action, payload = {} } = call.body;
      const change = WRITING.get(action);
      if (change !== undefined) requirePermission(call, 'chargers:write', change);
      const owner = ownerOf(call);
      const command = commandOf(deps, call, encodeRawCall(action, payload));
      return callCharger(deps, owner, {
        ...command,
        // A raw call must not start a session with a blocked or expired tag either.
        async check(charger, { remoteStart }) {
          if (remoteStart === undefined) return;
          const { rfidTag } = remoteStart;
          await tagCheck(deps, owner, { socketId: 0, rfidTag, validateRfid: false })(charger);
        },
      });
    },
  });
