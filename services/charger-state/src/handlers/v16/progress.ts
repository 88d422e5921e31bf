import { progress } from '../shared/progress';

/** OCPP 1.6 4.5, and SignedFirmwareStatusNotification of the security whitepaper. */
export const firmwareStatusNotification = progress('firmware');
/** OCPP 1.6 4.4 */
export const diagnosticsStatusNotification = progress('diagnostics');
/** OCPP 1.6 security whitepaper, 5.5 */
export const logStatusNotification = progress('log');
