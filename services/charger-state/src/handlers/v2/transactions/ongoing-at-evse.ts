import type { Charger } from '@busbar/domain/chargers';
import type { OngoingTransaction } from '@busbar/domain/sessions';
import { placeOfSocket } from '@busbar/ocpp';

/** The session in progress at an EVSE of OCPP 2.x, as the record shows it. */
export function ongoingAtEvse({ reported }: Charger, evseId: number): OngoingTransaction | undefined {
  return Object.values(reported.ongoing).find(({ socketId }) => placeOfSocket(socketId)?.evseId === evseId);
}
