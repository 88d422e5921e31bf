// Certificates that a charger has: listed, installed and deleted (OCPP 1.6 with the security extension, and 2.x).
import { chargerIdSchema, COMMAND_ERRORS, commandOf, ownerOf, paramsSchema, type CommandDeps } from '@busbar/api';
import { isOfOcpp16, readOwnedCharger } from '@busbar/domain/chargers';
import { listCertificates, readInstalledCertificate, type CertificateDeps } from '@busbar/domain/commands';
import { certificatesListedAt, readDeviceState, type InstalledCertificate } from '@busbar/domain/device-state';
import { toTimestamp } from '@busbar/domain';
import { field, pageOf, pageQuerySchema, withProperties } from '@busbar/http';
import { CERTIFICATE_TYPES, CERTIFICATE_TYPES_16, encodeOperation, type CertificateType } from '@busbar/ocpp';
import { presentCertificate } from '../../presenters/present-device-state';
import { route } from '../../route';
import { certificateBodySchema, certificateIdSchema, certificatePageSchema } from '../../schemas/certificate';
import { boolean, string } from '../../schemas/values';
import {
  ALSO_WRITE,
  answerSchema,
  chargerStatusSchema,
  commandParts,
  requirePermission,
  send,
  statusSchema,
  timeoutQuerySchema,
} from './command';

type Deps = CertificateDeps & CommandDeps;

const path = '/chargers/:chargerId/certificates';

const querySchema = withProperties(
  pageQuerySchema(['type'], 'as the charger listed them', 'a part of a serial number'),
  {
    type: {
      type: 'array',
      maxItems: CERTIFICATE_TYPES.length,
      items: { type: 'string', enum: CERTIFICATE_TYPES },
      description: 'Only certificates of these types. Repeat it. Default: all.',
    },
    refresh: field(boolean, 'Requests the list from the charger now. Default false.'),
    ...timeoutQuerySchema.properties,
  },
);

export const listCertificatesRoute = (deps: Deps) =>
  route({
    ...commandParts,
    method: 'GET',
    acceptsIdempotencyKey: false,
    path,
    operationId: 'listCertificates',
    summary: "List a charger's certificates",
    description: [
      'Returns the list that the charger sent last, without those that it deleted since. `refresh=true` requests it from the charger, which also requires `chargers:operate`.',
      'OCPP 1.6 has one type in a list: one message is sent for each.',
    ].join(' '),
    permission: 'chargers:read',
    query: querySchema,
    response: certificatePageSchema,
    errors: [...COMMAND_ERRORS, 'forbidden'],
    async handler(call) {
      const { query } = call;
      const { certificates, ...about } =
        query.refresh === true ? await requested(deps, call) : await stored(deps, call);
      const items = certificates.map(presentCertificate);
      const page = pageOf(items, query, {
        sort: ({ type }) => type,
        searched: ({ hashData }) => hashData.serialNumber,
      });
      return { ...about, ...page };
    },
  });

type ListCall = Parameters<typeof ownerOf>[0] & {
  readonly query: { readonly type?: readonly CertificateType[] | undefined };
};

interface List {
  readonly certificates: readonly InstalledCertificate[];
  readonly listedAt: string | null;
  readonly status: string | null;
  readonly commandId: string | null;
}

async function requested(deps: Deps, call: ListCall): Promise<List> {
  requirePermission(call, 'chargers:operate', 'refresh=true');
  const { type } = call.query;
  const owner = ownerOf(call);
  const isOneEach = isOfOcpp16(await readOwnedCharger(deps, owner));
  const inputs = isOneEach
    ? (type ?? CERTIFICATE_TYPES_16).map((each) => ({ type: [each] }))
    : [type === undefined ? {} : { type }];
  const commands = inputs.map((input) => commandOf(deps, call, encodeOperation('listCertificates', input)));
  const listed = await listCertificates(deps, owner, commands);
  return { ...listed, listedAt: toTimestamp(deps.clock.now()) };
}

async function stored(deps: Deps, call: ListCall): Promise<List> {
  const { type } = call.query;
  const { clientId, chargerId } = ownerOf(call);
  const { charger, deviceStates } = await readDeviceState(deps, clientId, chargerId);
  const { certificates } = deviceStates;
  const found = (certificates?.certificates ?? []).filter(
    (each) => type === undefined || type.some((wanted) => wanted === each.type),
  );
  const types = type ?? (isOfOcpp16(charger) ? CERTIFICATE_TYPES_16 : undefined);
  const listedAt = certificates ? certificatesListedAt(certificates, types) : null;
  return { certificates: found, listedAt, status: null, commandId: null };
}

export const installCertificateRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path,
    operationId: 'installCertificate',
    summary: 'Install a certificate in a charger',
    description: [
      'A root certificate that the charger trusts from then on. `Rejected` and `Failed` are responses with 200.',
      `The list has it after the next \`refresh=true\`. ${ALSO_WRITE}`,
    ].join(' '),
    body: certificateBodySchema,
    response: chargerStatusSchema,
    errors: [...COMMAND_ERRORS, 'forbidden'],
    handler(call) {
      requirePermission(call, 'chargers:write', 'a change of certificates');
      return send(deps, call, encodeOperation('installCertificate', call.body));
    },
  });

export const deleteCertificateRoute = (deps: Deps) =>
  route({
    ...commandParts,
    method: 'DELETE',
    path: `${path}/:certificateId`,
    operationId: 'deleteCertificate',
    summary: 'Delete a certificate from a charger',
    description: `One of the list that the charger sent last. The charger decides which may be deleted: \`Failed\` and \`NotFound\` are responses with 200. ${ALSO_WRITE}`,
    params: paramsSchema({ chargerId: chargerIdSchema, certificateId: certificateIdSchema }),
    response: answerSchema('CertificateDeleted', "The charger's response.", {
      certificateId: field(string, 'Id of the certificate.', '3f6e0c7d9b1a48525e0d7c6b5a493827'),
      status: statusSchema,
    }),
    errors: [...COMMAND_ERRORS, 'forbidden'],
    async handler(call) {
      requirePermission(call, 'chargers:write', 'a change of certificates');
      const { certificateId } = call.params;
      const answer = await send(deps, call, encodeOperation('deleteCertificate', { certificateId }), {
        stored: async (charger) => ({
          certificateHashData: (await readInstalledCertificate(deps, charger, certificateId)).hashData,
        }),
      });
      return { ...answer, certificateId };
    },
  });
