// Opens the account menu, which is loaded by then.
import { CircleUserRound } from 'lucide-react';
import { Suspense, useState } from 'react';
import { IconButton } from '../parts/button';
import { texts } from '../texts';
import { AccountMenu } from './frame-parts';

export function AccountButton({ onHelp }: { readonly onHelp: () => void }) {
  const [wasOpened, setOpened] = useState(false);
  const button = (
    <IconButton label={texts.frame.account} aria-haspopup="menu" aria-expanded={false} onClick={() => setOpened(true)}>
      <CircleUserRound />
    </IconButton>
  );
  if (!wasOpened) return button;
  return (
    <Suspense fallback={button}>
      <AccountMenu onHelp={onHelp} />
    </Suspense>
  );
}
