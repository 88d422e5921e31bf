// Events that a charger itself reported.
import { field, sortedQuerySchema, withProperties } from '@busbar/http';
import { nullableInteger, nullableString, recordSchema, string, timestampSchema } from './values';
import { partSchema, shownVariableFields } from './variable';

const MAX_SEVERITY: number = 9;
const SEVERITIES: number = MAX_SEVERITY + 1;

export const chargerEventQuerySchema = withProperties(sortedQuerySchema(['receivedAt'], 'newest first'), {
  from: field(timestampSchema, 'Received at this timestamp or later.'),
  to: field(timestampSchema, 'Received before this timestamp.'),
  component: field(partSchema, 'Events of this component of OCPP 2.x, without case.'),
  severity: field(
    { type: 'array', items: { type: 'integer', minimum: 0, maximum: MAX_SEVERITY }, maxItems: SEVERITIES },
    'Events with these severities: 0 (danger) to 9 (debug). Repeat it, or separate values by commas.',
  ),
});

const { instance, evseId, connectorId, variableInstance } = shownVariableFields;

export const chargerEventSchema = recordSchema('ChargerEvent', 'What a charger reported as an event.', {
  eventId: field(string, 'The id of the event.', '01K0Z3V5M8Q2T7W9XBCDEFGHJK'),
  receivedAt: field(timestampSchema, 'When the service received it.'),
  deviceTime: field(nullableString, "The charger's own time, as it wrote it. Null: none.", '2026-01-31T12:00:00Z'),
  type: field(
    string,
    'The OCPP action, such as SecurityEventNotification or DataTransfer; of a download or an upload `firmware`, `diagnostics` or `log` with `.requested` or `.progressed`.',
    'NotifyEvent',
  ),
  component: field(nullableString, 'The component. Null: not an event of NotifyEvent.', 'Connector'),
  instance,
  evseId,
  connectorId,
  variable: field(nullableString, 'The variable. Null: not an event of NotifyEvent.', 'Problem'),
  variableInstance,
  severity: field(
    nullableInteger,
    '0 (danger) to 9 (debug). Null: the charger did not report it; OCPP 2.0.1 has no field for it.',
    4,
  ),
  payload: field(
    { type: 'object' },
    'What the charger sent, secrets masked: the event of a NotifyEvent, else the payload of the message. For a request: its fields.',
    { eventId: 12, trigger: 'Alerting', actualValue: 'true' },
  ),
});
