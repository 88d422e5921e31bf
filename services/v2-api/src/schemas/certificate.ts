// Certificates that a charger has.
import { field, pageSchemaWith } from '@busbar/http';
import { INSTALLABLE_CERTIFICATES } from '@busbar/ocpp';
import { nullableString, nullableTimestampSchema, recordSchema, string } from './values';

/** What OCPP 2.1 carries; earlier versions 5,500. */
const MAX_CERTIFICATE = 10_000;
const EXAMPLE_ID = '3f6e0c7d9b1a48525e0d7c6b5a493827';

export const certificateIdSchema = {
  type: 'string',
  pattern: '^[0-9a-f]{32}$',
  description: 'Id of a certificate, as the list has it.',
  examples: [EXAMPLE_ID],
} as const;

export const certificateBodySchema = {
  ...recordSchema('CertificateInput', 'A certificate to install.', {
    type: {
      type: 'string',
      enum: INSTALLABLE_CERTIFICATES,
      description:
        "The type, as the charger's OCPP version names it: CentralSystemRootCertificate is of 1.6, CSMSRootCertificate of 2.x, OEMRootCertificate of 2.1. One of another version gets 400.",
    },
    certificate: field(
      { type: 'string', minLength: 1, maxLength: MAX_CERTIFICATE },
      'The certificate as PEM; for OCPP 1.6 and 2.0.1 of at most 5,500 characters.',
    ),
  }),
  examples: [
    {
      type: 'ManufacturerRootCertificate',
      certificate: '-----BEGIN CERTIFICATE-----\nMIIB…\n-----END CERTIFICATE-----\n',
    },
  ],
} as const;

export const hashDataSchema = recordSchema('CertificateHashData', 'How OCPP identifies a certificate.', {
  hashAlgorithm: field(string, 'Algorithm of the hashes.', 'SHA256'),
  issuerNameHash: field(string, "Hash of the issuer's name.", 'ae3b'),
  issuerKeyHash: field(string, "Hash of the issuer's public key.", '09c1'),
  serialNumber: field(string, 'Serial number of the certificate.', '1f'),
});

export const certificatePageSchema = {
  ...pageSchemaWith(
    'CertificatePage',
    recordSchema('InstalledCertificate', 'A certificate that the charger listed.', {
      certificateId: field(string, 'Id of the certificate, made of its hash data.', EXAMPLE_ID),
      type: field(string, 'Type, as OCPP names it.', 'ManufacturerRootCertificate'),
      hashData: hashDataSchema,
      children: field({ type: 'array', items: hashDataSchema }, 'The certificates below it, where it is a chain.', []),
    }),
    {
      listedAt: field(
        nullableTimestampSchema,
        'When the charger listed them, of the types that are asked for: the oldest time. Null: it has not listed all of these types.',
      ),
      status: field(
        nullableString,
        "The charger's status; `NotFound`: it has none. Null: without `refresh=true`.",
        'Accepted',
      ),
      commandId: field(
        nullableString,
        'The id of the stored command, of several the last. Null: without `refresh=true`.',
        null,
      ),
    },
  ),
  description: 'The certificates that the charger listed last, paged.',
} as const;
