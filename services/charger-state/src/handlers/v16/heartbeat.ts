import type { Handler } from '../handler';

/** OCPP 1.6 4.6: says only that the charger is there, which every frame does. */
export const heartbeat: Handler<unknown> = { apply: (charger) => ({ charger }) };
