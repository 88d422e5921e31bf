// The network profile of a charger of OCPP 2.x (B09).
import type { OperationTable } from '../operations/operation';
import { status } from './operation-parts';
import type { V2Requests } from './payloads';

/** `ocppVersion`: how the version of the charger names itself. 2.0.1 has no name of its own there: `OCPP20` means it. */
export function networkOperations(
  ocppVersion: V2Requests['SetNetworkProfile']['connectionData']['ocppVersion'] & string,
): OperationTable {
  return {
    setNetworkProfile: ({ slot, ...profile }) =>
      status('SetNetworkProfile', {
        configurationSlot: slot,
        connectionData: { ...profile, ocppVersion, ocppTransport: 'JSON' },
      }),
  };
}

/** The path of a field in the input, by its path in the payload. */
export function networkPath([field = '', ...rest]: readonly string[]): string {
  return field === 'connectionData' ? `/${rest.join('/')}` : '/slot';
}
