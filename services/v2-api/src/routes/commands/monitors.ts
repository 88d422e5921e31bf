// Monitors of the variables of a charger of OCPP 2.x: listed, set and cleared, and which of them are active.
import {
  chargerIdSchema,
  COMMAND_ERRORS,
  commandOf,
  newRequestId,
  ownerOf,
  paramsSchema,
  type CommandDeps,
  type CommandRequest,
} from '@busbar/api';
import { requestWholeReport, type Encode } from '@busbar/domain/commands';
import { readDeviceState, type ReadDeviceStateDeps } from '@busbar/domain/device-state';
import { pageOf, withProperties } from '@busbar/http';
import { encodeOperation } from '@busbar/ocpp';
import { presentMonitor } from '../../presenters/present-variable';
import { route } from '../../route';
import {
  monitorClearedFields,
  monitorIdSchema,
  monitoringBodySchema,
  monitorPageSchema,
  monitorQuerySchema,
  monitorsBodySchema,
  monitorsClearBodySchema,
  monitorsClearedSchema,
  monitorsSetSchema,
} from '../../schemas/monitor';
import { common, recordSchema } from '../../schemas/values';
import {
  answerSchema,
  commandedSchemas,
  commandParts,
  NOT_ASKED,
  nothingGiven,
  requirePermission,
  send,
  sendInParts,
  statusSchema,
  timeoutQuerySchema,
} from './command';
import { requireOcpp2 } from './reports';
import { isNamedIn } from './variables';

type Deps = CommandDeps & ReadDeviceStateDeps;

const path = '/chargers/:chargerId/monitors';
const NOT_IN_16 = 'OCPP 1.6 has none: 409 `not_supported_by_version`.';

export const listMonitorsRoute = (deps: Deps) =>
  route({
    ...commandParts,
    method: 'GET',
    acceptsIdempotencyKey: false,
    path,
    operationId: 'listMonitors',
    summary: "List a charger's monitors",
    description: [
      'Returns the monitors that the charger accepted or reported, at most 500, until it clears them.',
      '`refresh=true` requests all from the charger, and its report replaces what is stored; it also requires `chargers:operate`.',
      NOT_IN_16,
    ].join(' '),
    permission: 'chargers:read',
    query: withProperties(monitorQuerySchema, timeoutQuerySchema.properties),
    response: monitorPageSchema,
    errors: [...COMMAND_ERRORS, 'forbidden'],
    async handler(call) {
      const { query, params, auth } = call;
      const { status, commandId } = query.refresh === true ? await refreshed(deps, call) : NOT_ASKED;
      const { charger, deviceStates } = await readDeviceState(deps, auth.clientId, params.chargerId);
      requireOcpp2(charger);
      const { items = [], listedAt = null } = deviceStates.monitors ?? {};
      const found =
        status === 'EmptyResultSet'
          ? []
          : items.filter((each) => isNamedIn(query, each) && (query.type ?? each.type) === each.type);
      const page = pageOf(found.map(presentMonitor), query, {
        sort: ({ id, setAt }, key) => (key === 'id' ? id : setAt),
        searched: ({ name }) => name,
      });
      return { listedAt, status, commandId, ...page };
    },
  });

async function refreshed(deps: Deps, call: CommandRequest) {
  requirePermission(call, 'chargers:operate', 'refresh=true');
  const request = { requestId: newRequestId(), kind: 'monitoring' as const };
  return requestWholeReport(
    deps,
    ownerOf(call),
    request,
    commandOf(deps, call, encodeOperation('requestReport', request)),
  );
}

export const setMonitorsRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path,
    operationId: 'setMonitors',
    summary: "Set monitors of a charger's variables",
    description: [
      'The charger is asked by one SetVariableMonitoring, or by several, each of as many monitors as the charger takes in one',
      '(`MonitoringCtrlr.ItemsPerMessage` and `BytesPerMessage`), and may refuse each by itself: 200 also where it refuses all.',
      'With the error of one of several, the monitors of those before it stand.',
      `It reports their events: \`GET /v2/events\`. ${NOT_IN_16}`,
    ].join(' '),
    body: monitorsBodySchema,
    response: monitorsSetSchema,
    errors: COMMAND_ERRORS,
    async handler(call) {
      const monitors = call.body.monitors.map(({ variable, ...each }) => ({
        ...each,
        variable: typeof variable === 'string' ? { name: variable } : variable,
      }));
      return joined(
        await sendInParts(deps, call, monitors, (part) => encodeOperation('setMonitors', { monitors: part })),
      );
    },
  });

export const clearMonitorsRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: `${path}/clear`,
    operationId: 'clearMonitors',
    summary: "Clear several monitors of a charger's variables",
    description: [
      'The charger is asked by one ClearVariableMonitoring, or by several where it takes fewer in one, and may refuse each by itself: 200 also where it refuses all.',
      `With the error of one of several, those before it are cleared. ${NOT_IN_16}`,
    ].join(' '),
    body: monitorsClearBodySchema,
    response: monitorsClearedSchema,
    errors: COMMAND_ERRORS,
    async handler(call) {
      const { ids } = call.body;
      return joined(await sendInParts(deps, call, ids, (part) => encodeOperation('clearMonitors', { ids: part })));
    },
  });

export const clearMonitorRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    method: 'DELETE',
    path: `${path}/:monitorId`,
    operationId: 'clearMonitor',
    summary: "Clear a monitor of a charger's variable",
    description: `\`Rejected\` and \`NotFound\` are responses with 200: a hard-wired monitor cannot be cleared. ${NOT_IN_16}`,
    params: paramsSchema({ chargerId: chargerIdSchema, monitorId: monitorIdSchema }),
    response: answerSchema('MonitorCleared', "The charger's response.", monitorClearedFields),
    errors: COMMAND_ERRORS,
    async handler(call) {
      const { monitorId: id } = call.params;
      const { chargerId, commandId, monitors } = await send(
        deps,
        call,
        encodeOperation('clearMonitors', { ids: [id] }),
      );
      const result = monitors.find((each) => each.id === id) ?? monitors[0];
      return { chargerId, id, status: result?.status ?? '', statusInfo: result?.statusInfo ?? null, commandId };
    },
  });

/** The responses to all CALLs as one. */
function joined<Each>(answers: readonly { readonly monitors: readonly Each[] }[]): Each[] {
  return answers.flatMap(({ monitors }) => monitors);
}

const stepSchema = recordSchema('MonitoringStep', "The charger's response to one of them. Null: it was not asked.", {
  status: statusSchema,
  ...commandedSchemas,
});

export const setMonitoringRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    method: 'PUT',
    path: '/chargers/:chargerId/monitoring',
    operationId: 'setMonitoring',
    summary: 'Set which monitors of a charger are active',
    description: [
      'The charger is asked by SetMonitoringBase, then by SetMonitoringLevel. Its own words are responses with 200, such as `NotSupported`.',
      `Where it does not answer the second, the first stands. ${NOT_IN_16}`,
    ].join(' '),
    body: monitoringBodySchema,
    response: recordSchema('MonitoringSet', "The charger's responses.", {
      chargerId: common.chargerId,
      base: { anyOf: [stepSchema, { type: 'null' }], description: 'Of `base`. Null: it was not given.' },
      level: { anyOf: [stepSchema, { type: 'null' }], description: 'Of `level`. Null: it was not given.' },
    }),
    errors: COMMAND_ERRORS,
    async handler(call) {
      const { base, level } = call.body;
      if (base === undefined && level === undefined)
        throw nothingGiven('The body has neither base nor level.', 'base', 'level');
      const step = async (encode: Encode<{ readonly status: string }>) => {
        const { status, commandId } = await send(deps, call, encode);
        return { status, commandId };
      };
      return {
        chargerId: call.params.chargerId,
        base: base === undefined ? null : await step(encodeOperation('setMonitoringBase', { base })),
        level: level === undefined ? null : await step(encodeOperation('setMonitoringLevel', { level })),
      };
    },
  });
