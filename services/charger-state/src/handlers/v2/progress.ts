import { progress } from '../shared/progress';
import type { CallHandler } from './route';

/** OCPP 2.0.1, L01. */
export const firmwareStatusNotification: CallHandler<'FirmwareStatusNotification'> = progress('firmware');
/** OCPP 2.0.1, N01. */
export const logStatusNotification: CallHandler<'LogStatusNotification'> = progress('log');
