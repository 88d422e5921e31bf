import { OcppAddress } from '../../parts/ocpp-address';
import { texts } from '../../texts';
import { RejectedAttempts } from './rejected-attempts';

/** For a charger that never connected: the address to configure, and why its last attempts were rejected. */
export function NeverConnected({ chargerId }: { readonly chargerId: string }) {
  return (
    <section className="card never-connected">
      <h2>{texts.fleet.neverConnected}</h2>
      <p className="muted">{texts.charger.configure}</p>
      <OcppAddress chargerId={chargerId} />
      <RejectedAttempts chargerId={chargerId} />
    </section>
  );
}
