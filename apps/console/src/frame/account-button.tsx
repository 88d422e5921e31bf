// Opens the account menu, which is loaded by then. Where it could not be loaded, each click tries again: the head stays.
import { CatchBoundary } from '@tanstack/react-router';
import { CircleUserRound } from 'lucide-react';
import { Suspense, useState } from 'react';
import { IconButton } from '../parts/button';
import { loadFailedParts } from '../parts/lazy-part';
import { texts } from '../texts';
import { AccountMenu } from './frame-parts';

export function AccountButton({ onHelp }: { readonly onHelp: () => void }) {
  const [wasOpened, setOpened] = useState(false);
  if (!wasOpened) return <Closed onClick={() => setOpened(true)} />;
  return (
    <CatchBoundary getResetKey={() => 'account'} errorComponent={Failed}>
      <Suspense fallback={<Closed />}>
        <AccountMenu onHelp={onHelp} />
      </Suspense>
    </CatchBoundary>
  );
}

function Failed({ reset }: { readonly reset: () => void }) {
  function again(): void {
    loadFailedParts();
    reset();
  }
  return <Closed onClick={again} />;
}

function Closed({ onClick }: { readonly onClick?: () => void }) {
  return (
    <IconButton label={texts.frame.account} aria-haspopup="menu" aria-expanded={false} onClick={onClick}>
      <CircleUserRound />
    </IconButton>
  );
}
