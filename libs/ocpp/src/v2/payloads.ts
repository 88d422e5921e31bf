// The payload types of OCPP 2.0.1 and 2.1 as one set: `V2Requests['StatusNotification']`. They are those of 2.1, whose fields of a
// name have the same type and the same need in 2.0.1. Only `eventNotificationType` in NotifyMonitoringReport is absent there.
import type { V21Requests, V21Responses } from '../v21/generated/payload-types';

export type { V21Requests as V2Requests, V21Responses as V2Responses };

/** The name of any action of OCPP 2.x. */
export type V2Action = keyof V21Requests & keyof V21Responses;
