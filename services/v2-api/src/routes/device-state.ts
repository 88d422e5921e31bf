// The device state that commands installed in a charger, and its transfers, from the store.
import type { Clock } from '@busbar/core';
import { toTimestamp } from '@busbar/domain';
import {
  readDeviceState,
  readTransfers,
  type ReadDeviceStateDeps,
  type ReadTransfersDeps,
} from '@busbar/domain/device-state';
import { pageOf } from '@busbar/http';
import {
  presentDiagnostics,
  presentFirmware,
  presentLocalListTag,
  presentReservation,
} from '../presenters/present-device-state';
import { route } from '../route';
import {
  diagnosticsSchema,
  firmwareSchema,
  localListQuerySchema,
  localListSchema,
  reservationPageSchema,
  reservationQuerySchema,
} from '../schemas/device-state';
import { chargerParamsSchema } from '../schemas/values';

type Deps = ReadDeviceStateDeps & ReadTransfersDeps & { readonly clock: Clock };

const common = {
  method: 'GET',
  tag: 'Chargers',
  permission: 'chargers:read',
  params: chargerParamsSchema,
  errors: ['invalid_charger_id', 'not_found'],
} as const;

/** All the routes of this file. */
export const deviceStateRoutes = (deps: Deps) => [
  reservationsRoute(deps),
  localListRoute(deps),
  firmwareStateRoute(deps),
  diagnosticsStateRoute(deps),
];

const reservationsRoute = (deps: Deps) =>
  route({
    ...common,
    path: '/chargers/:chargerId/reservations',
    operationId: 'listReservations',
    summary: "List a charger's reservations",
    description: 'The last hundred reservations that it accepted.',
    query: reservationQuerySchema,
    response: reservationPageSchema,
    async handler({ auth, params, query }) {
      const { deviceStates } = await readDeviceState(deps, auth.clientId, params.chargerId);
      const now = toTimestamp(deps.clock.now());
      const reservations = deviceStates.reservations.map((each) => presentReservation(each, now));
      return pageOf(reservations, query, { sort: (each, key) => each[key], searched: ({ rfidTag }) => rfidTag });
    },
  });

const localListRoute = (deps: Deps) =>
  route({
    ...common,
    path: '/chargers/:chargerId/local-list',
    operationId: 'getLocalList',
    summary: "Read a charger's local list",
    description: 'The list as sent and accepted, paged.',
    query: localListQuerySchema,
    response: localListSchema,
    async handler({ auth, params, query }) {
      const { localList } = (await readDeviceState(deps, auth.clientId, params.chargerId)).deviceStates;
      const tags = localList?.entries.map(presentLocalListTag) ?? [];
      return {
        listVersion: localList?.version ?? null,
        complete: localList?.isComplete ?? false,
        updatedAt: localList?.updatedAt ?? null,
        ...pageOf(tags, query, { sort: (each, key) => each[key], searched: ({ rfidTag }) => rfidTag }),
      };
    },
  });

const firmwareStateRoute = (deps: Deps) =>
  route({
    ...common,
    path: '/chargers/:chargerId/firmware',
    operationId: 'getFirmwareState',
    summary: "Read the progress of a charger's firmware update",
    response: firmwareSchema,
    async handler({ auth: { clientId }, params: { chargerId } }) {
      const { charger, steps } = await readTransfers(deps, { clientId, chargerId }, ['firmware']);
      return presentFirmware(charger, steps);
    },
  });

const diagnosticsStateRoute = (deps: Deps) =>
  route({
    ...common,
    path: '/chargers/:chargerId/diagnostics',
    operationId: 'getDiagnosticsState',
    summary: "Read the progress of a charger's uploads",
    description: 'Diagnostics, and logs of the security extension. OCPP 2.x has logs alone: both show the last one.',
    response: diagnosticsSchema,
    async handler({ auth: { clientId }, params: { chargerId } }) {
      const { charger, steps } = await readTransfers(deps, { clientId, chargerId }, ['diagnostics', 'log']);
      return presentDiagnostics(charger, steps);
    },
  });
