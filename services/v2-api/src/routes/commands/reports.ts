// Reports that a charger of OCPP 2.x sends in parts: requested, and read while and after they come.
import { COMMAND_ERRORS, commandOf, newRequestId, ownerOf, type CommandDeps } from '@busbar/api';
import { AppError } from '@busbar/core';
import type { Charger } from '@busbar/domain/chargers';
import { requestReport, storedTagOf } from '@busbar/domain/commands';
import { readDeviceReport, type ReadDeviceReportDeps } from '@busbar/domain/device-model';
import { encodeOperation } from '@busbar/ocpp';
import { presentReport } from '../../presenters/present-variable';
import { route } from '../../route';
import {
  customerInformationBodySchema,
  reportBodySchema,
  reportParamsSchema,
  reportSchema,
  requestedReportSchema,
} from '../../schemas/report';
import { commandParts } from './command';

const path = '/chargers/:chargerId/reports';

export const requestReportRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path,
    operationId: 'requestReport',
    summary: 'Request a report of a charger',
    description: [
      'The charger sends the report in parts, after its response: read them by `GET …/reports/{requestId}`.',
      'While it sends a whole report of the same kind already, it is not asked again, and the response has the number of that report.',
      'OCPP 1.6 has none: 409 `not_supported_by_version`.',
    ].join(' '),
    body: reportBodySchema,
    response: requestedReportSchema,
    errors: COMMAND_ERRORS,
    async handler(call) {
      const { kind, variables, criteria } = call.body;
      const requestId = newRequestId();
      const request = { requestId, kind, isPartial: kind === 'custom' || (variables ?? criteria) !== undefined };
      const command = commandOf(deps, call, encodeOperation('requestReport', { ...call.body, requestId }));
      return { chargerId: call.params.chargerId, ...(await requestReport(deps, ownerOf(call), request, command)) };
    },
  });

export const readReportRoute = (deps: ReadDeviceReportDeps) =>
  route({
    method: 'GET',
    tag: 'Commands',
    permission: 'chargers:read',
    path: `${path}/:requestId`,
    operationId: 'readReport',
    summary: 'Read a report of a charger',
    description: 'What has come of it, for 24 hours. Reports that nobody requested can be read too.',
    params: reportParamsSchema,
    response: reportSchema,
    errors: ['invalid_charger_id', 'not_found', 'not_supported_by_version'],
    async handler({ auth: { clientId }, params: { chargerId, requestId } }) {
      const report = await readDeviceReport(deps, { clientId, chargerId }, requestId, requireOcpp2);
      return presentReport(report);
    },
  });

export const customerInformationRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/customer-information',
    operationId: 'requestCustomerInformation',
    summary: 'Request or delete what a charger has stored about a customer',
    description: [
      'With `report` the charger sends it in parts, after its response: read them by `GET …/reports/{requestId}`. With `clear` it deletes it.',
      '`Rejected` and `Invalid` are responses with 200. OCPP 1.6 has none: 409 `not_supported_by_version`.',
    ].join(' '),
    body: customerInformationBodySchema,
    response: requestedReportSchema,
    errors: COMMAND_ERRORS,
    async handler(call) {
      const request = { requestId: newRequestId(), kind: 'customer_information' as const, isPartial: true };
      const input = { ...call.body, requestId: request.requestId };
      const { rfidTag } = input;
      const command = {
        ...commandOf(deps, call, encodeOperation('customerInformation', input)),
        ...(rfidTag !== undefined && { stored: storedTagOf(deps, rfidTag) }),
      };
      return { chargerId: call.params.chargerId, ...(await requestReport(deps, ownerOf(call), request, command)) };
    },
  });

/** Throws `not_supported_by_version` for a charger that speaks OCPP 1.6. */
export function requireOcpp2({ connection: { ocppVersion } }: Pick<Charger, 'connection'>): void {
  if (ocppVersion !== 'ocpp1.6') return;
  throw new AppError(
    'not_supported_by_version',
    'The charger speaks ocpp1.6, which has no device model and no reports.',
  );
}
