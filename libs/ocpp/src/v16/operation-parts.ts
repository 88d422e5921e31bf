import { callsOf } from '../operations/calls';
import type { V16Requests, V16Responses } from './payloads';

/** CALLs of OCPP 1.6. */
export const { call, status } = callsOf<V16Requests, V16Responses>();
