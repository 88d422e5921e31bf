// What a charger holds: reservations, charging profiles, its local list, and availability that waits for the end of a session.
import { texts } from '../../../texts';
import { heldTexts as words } from '../../../texts/held';
import type { Charger } from '../use-charger';
import { HeldCard, HeldNote } from './held-card';
import './held.css';
import { LocalList } from './local-list';
import { Profiles } from './profiles';
import { Reservations } from './reservations';

export function HeldTab({ charger }: { readonly charger: Charger }) {
  const { chargerId } = charger;
  return (
    <div className="stack">
      <Reservations chargerId={chargerId} />
      <Profiles chargerId={chargerId} />
      <LocalList chargerId={chargerId} />
      <Availability charger={charger} />
    </div>
  );
}

function Availability({ charger: { sockets } }: { readonly charger: Charger }) {
  const scheduled = sockets.flatMap(({ id, scheduledAvailability }) =>
    scheduledAvailability === null ? [] : [{ id, scheduledAvailability }],
  );
  return (
    <HeldCard title={words.availability}>
      {scheduled.length === 0 ? (
        <HeldNote>{words.noAvailability}</HeldNote>
      ) : (
        <ul className="held-list">
          {scheduled.map(({ id, scheduledAvailability }) => (
            <li key={id}>
              {texts.charger.socket(id)}: {texts.charger.scheduled(scheduledAvailability)}
            </li>
          ))}
        </ul>
      )}
    </HeldCard>
  );
}
