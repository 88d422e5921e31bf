// Reports that a charger of OCPP 2.x sends in parts.
import { MAX_ID_TAG } from '@busbar/domain/tags';
import { field } from '@busbar/http';
import { chargerIdSchema, paramsSchema } from '@busbar/api';
import { boolean, common, count, nullableString, recordSchema, string } from './values';
import { hashDataSchema } from './certificate';
import { componentSchema, MAX_VARIABLES } from './variable';

const requestIdSchema = { type: 'integer', minimum: 0, maximum: 2_147_483_647 } as const;
const requestIdField = field(requestIdSchema, 'Number of the report: `GET …/reports/{requestId}`.', 4711);

export const reportParamsSchema = paramsSchema({
  chargerId: chargerIdSchema,
  requestId: { ...requestIdSchema, description: 'Number of the report.', examples: [4711] },
});

export const reportBodySchema = {
  ...recordSchema(
    'ReportInput',
    'The report to request.',
    {
      kind: field(
        { type: 'string', enum: ['configuration', 'full', 'summary', 'custom', 'monitoring'] },
        '`configuration`: what can be changed; `full`: the whole device model; `summary`: what matters for its state; `custom`: variables by name or criteria; `monitoring`: monitors.',
      ),
    },
    {
      variables: field(
        { type: 'array', minItems: 1, maxItems: MAX_VARIABLES, items: componentSchema },
        'Of `custom` and `monitoring`: these variables or components. Default: all.',
      ),
      criteria: field(
        {
          type: 'array',
          minItems: 1,
          maxItems: 4,
          items: {
            type: 'string',
            enum: [
              'Active',
              'Available',
              'Enabled',
              'Problem',
              'ThresholdMonitoring',
              'DeltaMonitoring',
              'PeriodicMonitoring',
            ],
          },
        },
        'Of `custom`: components that are Active, Available, Enabled or have a Problem. Of `monitoring`: ThresholdMonitoring, DeltaMonitoring, PeriodicMonitoring. Default: all.',
      ),
    },
  ),
  examples: [{ kind: 'full' }],
} as const;

export const requestedReportSchema = recordSchema('RequestedReport', "The charger's response.", {
  chargerId: common.chargerId,
  requestId: requestIdField,
  status: field(
    string,
    "The charger's status, as OCPP names it. Only with `Accepted` a report follows; `EmptyResultSet`: there is nothing to report.",
    'Accepted',
  ),
  commandId: field(
    nullableString,
    'The id of the stored command. Null: the charger was sending an equal report already, which `requestId` names.',
    '01JAX5Z3V8Q2M7R4T6W9Y0BCDE',
  ),
});

export const reportSchema = recordSchema('Report', 'A report of a charger.', {
  requestId: requestIdField,
  kind: field(
    nullableString,
    'What was requested: configuration, full, summary, custom, monitoring, customer_information, display_messages or charging_profiles. Null: nobody requested it.',
    'full',
  ),
  state: field(
    { type: 'string', enum: ['pending', 'complete', 'incomplete'] },
    '`incomplete`: for ten minutes no further part came.',
    'complete',
  ),
  parts: field(count, 'Number of the messages that came.', 3),
  items: field(
    { type: 'array', items: { type: ['object', 'string'], additionalProperties: true } },
    'What they contain, in the order of their numbers: variables, variables with `monitors`, texts about a customer; of other reports what OCPP names. Secrets are masked.',
    [],
  ),
  hasMore: field(boolean, 'Whether the report has more than `items`: more than 5,000 or four megabytes.', false),
});

export const customerInformationBodySchema = {
  ...recordSchema(
    'CustomerInformationInput',
    'A customer, by one of `rfidTag`, `customerIdentifier` and `certificate`.',
    {
      report: field(boolean, 'Whether the charger reports what it has stored about the customer.', true),
      clear: field(boolean, 'Whether the charger deletes it.', false),
    },
    {
      rfidTag: field(
        { type: 'string', minLength: 1, maxLength: MAX_ID_TAG },
        'RFID tag of the customer.',
        '04E91C5A123B80',
      ),
      customerIdentifier: field(
        { type: 'string', minLength: 1, maxLength: 64 },
        'Another identification, in the words of the vendor.',
        'customer-17',
      ),
      certificate: hashDataSchema,
    },
  ),
  examples: [{ report: true, clear: false, rfidTag: '04E91C5A123B80' }],
} as const;
