import { Suspense, useState } from 'react';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/use-session';
import { Button } from '../../parts/button';
import { lazyPart } from '../../parts/lazy-part';
import { Empty } from '../../parts/notes';
import { useWasOpen } from '../../parts/use-was-open';
import { texts } from '../../texts';
import { EarlierAttempts } from './rejected-attempts';

const NewCharger = lazyPart(() => import('../../records/new-charger'), 'NewCharger');

/** For an id that is not registered: how to register it, and where its rejected attempts are. */
export function NotRegistered({ chargerId }: { readonly chargerId: string }) {
  const [isAdding, setAdding] = useState(false);
  const wasAdding = useWasOpen(isAdding);
  const mayAdd = useMay('chargers:write');
  return (
    <Empty title={texts.charger.notFound} isWhole>
      <p>{texts.charger.notFoundText(chargerId)}</p>
      <EarlierAttempts />
      <div className="screen-actions">
        {mayAdd && (
          <Button kind="primary" onClick={() => setAdding(true)}>
            {texts.charger.register}
          </Button>
        )}
        <Link to="/" className="button button-m">
          {texts.charger.toFleet}
        </Link>
      </div>
      {wasAdding && (
        <Suspense>
          <NewCharger chargerId={chargerId} open={isAdding} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </Empty>
  );
}
