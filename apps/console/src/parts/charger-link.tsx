import { Link } from '@tanstack/react-router';
import { useMay } from '../api/use-session';
import { Breakable } from './breakable';

/** A charger's id. It leads to the charger where the key may read chargers. */
export function ChargerLink({ chargerId }: { readonly chargerId: string }) {
  if (!useMay('chargers:read')) return <Breakable text={chargerId} />;
  return (
    <Link to="/chargers/$chargerId" params={{ chargerId }}>
      <Breakable text={chargerId} />
    </Link>
  );
}
