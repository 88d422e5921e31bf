// A charger that keeps a message until the service has answered it: it connects again and repeats it, as chargers do with transactions.
import { connectCharger, eventually, type ScriptedCharger } from '@busbar/testing';

type Payload = Readonly<Record<string, unknown>>;

export interface PatientCharger {
  ask(action: string, payload: Payload): Promise<Payload>;
  /** Resolves when it has a new connection. */
  reconnect(): Promise<void>;
  close(): Promise<void>;
}

const WITHIN_MS = 90_000;
const CALL_TIMEOUT_MS = 15_000;

export function createPatientCharger(url: string): PatientCharger {
  let charger: ScriptedCharger | undefined;

  async function connected(): Promise<ScriptedCharger> {
    if (charger?.closed() === undefined) charger ??= await connectCharger({ url, callTimeoutMs: CALL_TIMEOUT_MS });
    else charger = await connectCharger({ url, callTimeoutMs: CALL_TIMEOUT_MS });
    return charger;
  }

  async function close(): Promise<void> {
    if (charger?.closed() === undefined) await charger?.close();
    charger = undefined;
  }

  return {
    ask: (action, payload) => eventually(async () => (await connected()).ask(action, payload), WITHIN_MS),
    async reconnect() {
      await close();
      await eventually(connected, WITHIN_MS);
    },
    close,
  };
}
