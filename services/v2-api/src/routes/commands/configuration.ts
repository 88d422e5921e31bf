import { AppError } from '@busbar/core';
import { configNameSchema, configValueSchema } from '@busbar/api';
import { readCharger } from '@busbar/domain/chargers';
import { COMMAND_ERRORS, type CommandDeps, type CommandRequest } from '@busbar/api';
import { type SiteReader } from '@busbar/domain/sites';
import { encodeOperation } from '@busbar/ocpp';
import { presentConfiguration } from '../../presenters/present-charger';
import { route } from '../../route';
import { configurationItemSchema } from '../../schemas/charger';
import { recordSchema } from '../../schemas/values';
import { commandedSchemas, commandParts, send, statusSchema, timeoutQuerySchema } from './command';

const path = '/chargers/:chargerId/configuration';

interface ConfigurationDeps extends CommandDeps {
  readonly sites: Pick<SiteReader, 'find'>;
}

export const readConfigurationRoute = (deps: ConfigurationDeps) =>
  route({
    ...commandParts,
    method: 'GET',
    acceptsIdempotencyKey: false,
    path,
    summary: "Read a charger's configuration",
    description:
      'As it was last told. With `refresh=true` the charger is asked now, which needs `chargers:operate` too.',
    permission: 'chargers:read',
    query: {
      ...timeoutQuerySchema,
      properties: {
        refresh: { type: 'boolean' },
        configNames: {
          type: 'array',
          // All of them fit the listener's limit, each character percent-encoded.
          maxItems: 35,
          items: configNameSchema,
          description: 'Only these; absent: all.',
        },
        ...timeoutQuerySchema.properties,
      },
    },
    response: recordSchema('ChargerConfiguration', {
      chargerId: { type: 'string' },
      chargerConfigurations: {
        type: 'array',
        items: configurationItemSchema,
      },
      unknownConfigNames: { type: 'array', items: { type: 'string' }, description: 'Asked for, and not there.' },
      commandId: { type: ['string', 'null'], description: 'Null unless the charger was asked.' },
    }),
    errors: [...COMMAND_ERRORS, 'forbidden'],
    handler: (call) =>
      call.query.refresh === true ? askForConfiguration(deps, call) : storedConfiguration(deps, call),
  });

export const changeConfigurationRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    method: 'PATCH',
    path,
    summary: "Change one item of a charger's configuration",
    description:
      'The stored configuration follows what the charger answers. `RebootRequired` and `NotSupported` are answers too.',
    body: {
      title: 'ConfigurationChange',
      type: 'object',
      properties: { configName: configNameSchema, configValue: configValueSchema },
      required: ['configName', 'configValue'],
      additionalProperties: false,
      examples: [{ configName: 'HeartbeatInterval', configValue: '600' }],
    },
    response: recordSchema('ConfigurationChanged', {
      chargerId: { type: 'string' },
      configName: { type: 'string' },
      status: statusSchema,
      ...commandedSchemas,
    }),
    // Too many keys for the charger are undecided.
    errors: [...COMMAND_ERRORS, 'conflict'],
    async handler(call) {
      const { configName } = call.body;
      return { ...(await send(deps, call, encodeOperation('changeConfiguration', call.body))), configName };
    },
  });

type ConfigurationCall = CommandRequest & {
  readonly query: { readonly configNames?: readonly string[] | undefined };
};

async function askForConfiguration(deps: CommandDeps, call: ConfigurationCall) {
  if (!call.auth.permissions.includes('chargers:operate')) {
    throw new AppError('forbidden', 'This key lacks the permission chargers:operate, which refresh=true needs.');
  }
  const { configNames } = call.query;
  const wording = encodeOperation('getConfiguration', configNames === undefined ? {} : { configNames });
  const { chargerId, configuration, unknownConfigNames, commandId } = await send(deps, call, wording);
  return { chargerId, chargerConfigurations: configuration, unknownConfigNames, commandId };
}

async function storedConfiguration(deps: ConfigurationDeps, { auth, params, query }: ConfigurationCall) {
  const { charger } = await readCharger(deps, auth.clientId, params.chargerId);
  const { chargerId } = charger;
  const { configNames } = query;
  const chargerConfigurations = presentConfiguration(charger);
  if (configNames === undefined) return { chargerId, chargerConfigurations, unknownConfigNames: [], commandId: null };
  // Keys are compared without case (OCPP 1.6 7.10, CiString50Type).
  const asked = new Set(configNames.map((name) => name.toLowerCase()));
  const found = chargerConfigurations.filter(({ configName }) => asked.has(configName.toLowerCase()));
  const known = new Set(found.map(({ configName }) => configName.toLowerCase()));
  const unknownConfigNames = configNames.filter((name) => !known.has(name.toLowerCase()));
  return { chargerId, chargerConfigurations: found, unknownConfigNames, commandId: null };
}
