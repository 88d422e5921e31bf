import type { CallChargerDeps, ChargerCommand } from '../commands/call-charger';
import type { ChargerCall } from '../commands/charger-link';
import { newCharger } from './charger';
import { storedChargers } from './stored-chargers';
import { storedDeviceModels } from './stored-device-models';

export interface AnsweringCharger extends Omit<CallChargerDeps, 'clock'> {
  /** The calls that the charger received. */
  readonly calls: readonly ChargerCall[];
}

/** The dependencies of `callCharger` for ACME_1 of the client `client`, which is connected and accepts each call. */
export function answeringCharger({ active = true, ocppVersion = 'ocpp1.6' } = {}): AnsweringCharger {
  const calls: ChargerCall[] = [];
  const none = () => Promise.resolve();
  return {
    calls,
    chargers: storedChargers(newCharger({ connection: { active, gatewayId: 'gateway', ocppVersion } })),
    gateways: { isDead: () => Promise.resolve(false) },
    deviceModels: storedDeviceModels(),
    commands: { begin: none, complete: none },
    serializeInput: (input) => ({ text: JSON.stringify(input) }),
    link: {
      call: (_to, call) => {
        calls.push(call);
        return Promise.resolve({ outcome: 'answered', payload: { status: 'Accepted' } });
      },
    },
  };
}

/** A command with that action, whose answer is its status. */
export function commandTo(action: string): ChargerCommand<{ readonly status: unknown }> {
  const encode = () => ({ action, payload: {}, read: ({ status }: Readonly<Record<string, unknown>>) => ({ status }) });
  const encoded = Object.assign(encode, { operation: action, input: {} });
  return { encode: encoded, timeoutMs: 1_000, requestedBy: 'key', requestId: 'request' };
}
