// The payload types of every OCPP 1.6 action, security extension included: `V16Requests['StatusNotification']`. They are
// generated from the same schemas as the validators, so that type and check agree.
import type { V16Requests, V16Responses } from './generated/payload-types';

export type { V16Requests, V16Responses };

/** The name of any OCPP 1.6 action. */
export type V16Action = keyof V16Requests & keyof V16Responses;
