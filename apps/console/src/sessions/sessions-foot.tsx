// How many sessions a list has, and the energy of those that it shows.
import { energyOf } from '../parts/format';
import { sessionListTexts as words } from '../texts/session-list';
import { sumOf, type SessionPage } from './session-list';
import './sessions.css';

interface FootProps {
  /** Undefined: not read yet. */
  readonly page: SessionPage | undefined;
  /** Whether the list is of a span of time, so that it matters by which time a session belongs to it. */
  readonly hasTimes: boolean;
}

export function SessionsFoot({ page, hasTimes }: FootProps) {
  if (page === undefined || page.items.length === 0) return null;
  const { shown, total, energyWh, unknown } = sumOf(page);
  const energy = energyOf(energyWh);
  return (
    <p className="session-foot">
      <strong>{shown === total ? words.sum(total, energy) : words.sumOfPart(shown, total, energy)}</strong>
      {unknown > 0 && ` ${words.unknownEnergy(unknown)}`}
      {hasTimes && <span className="muted"> · {words.countsByStart}</span>}
    </p>
  );
}
