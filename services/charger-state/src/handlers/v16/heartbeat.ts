import type { CallHandler } from './route';

/** OCPP 1.6 4.6. Changes nothing: every frame updates `lastSeen`. */
export const heartbeat: CallHandler<'Heartbeat'> = { apply: (charger) => ({ charger }) };
