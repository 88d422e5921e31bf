import {
  COMMAND_ERRORS,
  configNameSchema,
  configValueSchema,
  commandOf,
  newRequestId,
  ownerOf,
  type CommandDeps,
  type CommandRequest,
} from '@busbar/api';
import { toTimestamp, type Timestamp } from '@busbar/domain';
import {
  changedAtOf,
  isOfOcpp16,
  readCharger,
  readOwnedCharger,
  type Charger,
  type ConfigurationItem,
} from '@busbar/domain/chargers';
import { requestWholeReport } from '@busbar/domain/commands';
import type { SiteReader } from '@busbar/domain/sites';
import { field } from '@busbar/http';
import { encodeOperation, variableOfKey } from '@busbar/ocpp';
import { presentConfiguration } from '../../presenters/present-charger';
import { route } from '../../route';
import { configurationItemSchema } from '../../schemas/charger';
import { boolean, common, nullableString, recordSchema, string } from '../../schemas/values';
import {
  answerSchema,
  commandParts,
  requirePermission,
  send,
  sendInParts,
  statusSchema,
  timeoutQuerySchema,
} from './command';

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
    operationId: 'getConfiguration',
    summary: "Read a charger's configuration",
    description:
      'Returns the stored configuration. `refresh=true` requests it from the charger, which also requires `chargers:operate`.',
    permission: 'chargers:read',
    query: {
      ...timeoutQuerySchema,
      properties: {
        refresh: field(boolean, 'Requests the configuration from the charger now. Default false.'),
        configNames: {
          type: 'array',
          // With every character percent-encoded they fit the listener's limit.
          maxItems: 33,
          items: configNameSchema,
          description: 'Only these items. Default: all.',
        },
        ...timeoutQuerySchema.properties,
      },
    },
    response: recordSchema(
      'ChargerConfiguration',
      "The charger's configuration.",
      {
        chargerId: common.chargerId,
        chargerConfigurations: field({ type: 'array', items: configurationItemSchema }, 'The items.'),
        unknownConfigNames: field(
          { type: 'array', items: string },
          'Requested names that the charger does not have.',
          [],
        ),
        commandId: field(nullableString, 'The id of the stored command. Null: without `refresh=true`.', null),
      },
      {
        status: field(
          string,
          'Present where a charger of OCPP 2.x was asked for all items: with `Accepted` they are what it reported, else what is stored; `EmptyResultSet`: it has none.',
          'Accepted',
        ),
      },
    ),
    errors: [...COMMAND_ERRORS, 'forbidden'],
    handler: (call) =>
      call.query.refresh === true ? refreshedConfiguration(deps, call) : storedConfiguration(deps, call),
  });

export const changeConfigurationRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    method: 'PATCH',
    path,
    operationId: 'changeConfiguration',
    summary: "Change an item of a charger's configuration",
    description: [
      "The stored configuration follows the charger's response. `RebootRequired` and `NotSupported` are responses with 200.",
      'At its next boot the charger gets a `HeartbeatInterval` from the service again (`OCPP_HEARTBEAT_INTERVAL_S`).',
    ].join(' '),
    body: {
      ...recordSchema('ConfigurationChange', 'A configuration key with its new value.', {
        configName: configNameSchema,
        configValue: configValueSchema,
      }),
      examples: [{ configName: 'HeartbeatInterval', configValue: '600' }],
    },
    response: answerSchema('ConfigurationChanged', "The charger's response.", {
      configName: field(string, 'The requested key.', 'HeartbeatInterval'),
      status: statusSchema,
    }),
    // Too many key changes of the charger are pending.
    errors: [...COMMAND_ERRORS, 'conflict'],
    async handler(call) {
      const { configName } = call.body;
      return { ...(await send(deps, call, encodeOperation('changeConfiguration', call.body))), configName };
    },
  });

type ConfigurationCall = CommandRequest & {
  readonly query: { readonly configNames?: readonly string[] | undefined };
};

async function refreshedConfiguration(deps: CommandDeps, call: ConfigurationCall) {
  requirePermission(call, 'chargers:operate', 'refresh=true');
  const { configNames } = call.query;
  const before = await readOwnedCharger(deps, ownerOf(call));
  if (configNames === undefined && !isOfOcpp16(before)) return requestReport(deps, call);
  const present = (items: readonly ConfigurationItem[]) => withStored(items, before, toTimestamp(deps.clock.now()));
  if (configNames === undefined) {
    const { configuration, ...answer } = await send(deps, call, encodeOperation('getConfiguration', {}));
    return { ...answer, chargerConfigurations: present(configuration) };
  }
  const answers = await sendInParts(deps, call, configNames, (names) =>
    encodeOperation('getConfiguration', { configNames: names }),
  );
  return {
    chargerId: call.params.chargerId,
    chargerConfigurations: present(answers.flatMap(({ configuration }) => configuration)),
    unknownConfigNames: answers.flatMap(({ unknownConfigNames }) => unknownConfigNames),
    commandId: answers.at(-1)?.commandId ?? null,
  };
}

/**
 * The items of the response against those stored before: the record follows it later. A charger of OCPP 2.x says only in its reports what
 * can be changed.
 */
function withStored(items: readonly ConfigurationItem[], charger: Charger, now: Timestamp) {
  const stored = new Map(charger.reported.configuration.map((item) => [item.configName.toLowerCase(), item]));
  const keyOf = storedKeyOf(charger);
  return items.map((item) => {
    const known = stored.get(keyOf(item.configName));
    const changedAt = changedAtOf(known, item.configValue, now) ?? null;
    const canBeChanged = isOfOcpp16(charger) ? item.canBeChanged : (known ?? item).canBeChanged;
    return { ...item, canBeChanged, changedAt };
  });
}

/** How the stored items are found by a requested name: without case (OCPP 1.6 7.10), in OCPP 2.x also by the usual names of 1.6 (rule 148). */
function storedKeyOf(charger: Charger): (name: string) => string {
  if (isOfOcpp16(charger)) return (name) => name.toLowerCase();
  return (name) => (variableOfKey(name) ?? name).toLowerCase();
}

/** OCPP 2.x reports all items in parts, after its answer (rule 168). */
async function requestReport(deps: CommandDeps, call: ConfigurationCall) {
  const request = { requestId: newRequestId(), kind: 'configuration' as const };
  const command = commandOf(deps, call, encodeOperation('requestReport', request));
  const { status, commandId, charger } = await requestWholeReport(deps, ownerOf(call), request, command);
  const chargerConfigurations = status === 'EmptyResultSet' ? [] : presentConfiguration(charger);
  return { chargerId: charger.chargerId, chargerConfigurations, unknownConfigNames: [], commandId, status };
}

async function storedConfiguration(deps: ConfigurationDeps, { auth, params, query }: ConfigurationCall) {
  const { charger } = await readCharger(deps, auth.clientId, params.chargerId);
  const { chargerId } = charger;
  const { configNames } = query;
  const chargerConfigurations = presentConfiguration(charger);
  if (configNames === undefined) return { chargerId, chargerConfigurations, unknownConfigNames: [], commandId: null };
  const keyOf = storedKeyOf(charger);
  const requested = configNames.map((name) => ({ name, key: keyOf(name) }));
  const found = chargerConfigurations.flatMap((item) => {
    const key = item.configName.toLowerCase();
    const names = requested.filter((each) => each.key === key);
    // As the response of the charger has it: under the name that was requested.
    const shown = new Set(names.map(({ name }) => (name.toLowerCase() === key ? item.configName : name)));
    return [...shown].map((configName) => ({ ...item, configName }));
  });
  const known = new Set(chargerConfigurations.map(({ configName }) => configName.toLowerCase()));
  const unknownConfigNames = requested.filter(({ key }) => !known.has(key)).map(({ name }) => name);
  return { chargerId, chargerConfigurations: found, unknownConfigNames, commandId: null };
}
