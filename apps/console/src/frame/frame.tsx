// What stands around every screen: head, menu, and the notes that concern all of them.
import { CatchBoundary, Link, Outlet, useLocation } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { Suspense, useState } from 'react';
import { IconButton } from '../parts/button';
import { Empty } from '../parts/notes';
import { useWasOpen } from '../parts/use-was-open';
import { Wordmark } from '../parts/wordmark';
import { texts } from '../texts';
import { AccountButton } from './account-button';
import './frame.css';
import { MenuDrawer, ShortcutHelp, useFrameParts } from './frame-parts';
import { LiveState } from './live-state';
import { MenuList } from './menu-list';
import { OfflineNote } from './offline-note';
import { ScreenFailure } from './screen-failure';
import { StaleNote } from './stale-note';
import { useMenu } from './use-menu';
import { useShortcuts } from './use-shortcuts';

export function Frame() {
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const wasMenuOpen = useWasOpen(isMenuOpen);
  const wasHelpOpen = useWasOpen(isHelpOpen);
  const { pathname } = useLocation();
  const hasScreens = useMenu().length > 0;
  useShortcuts(() => setHelpOpen(true));
  useFrameParts();
  return (
    <div className="frame">
      <a className="skip" href="#screen">
        {texts.frame.skip}
      </a>
      <header className="frame-head">
        <IconButton className="frame-menu-button" label={texts.frame.menu} onClick={() => setMenuOpen(true)}>
          <MenuIcon />
        </IconButton>
        <Link to="/" className="frame-home" aria-label={texts.frame.home}>
          <Wordmark />
        </Link>
        <div className="frame-head-end">
          <LiveState />
          <AccountButton onHelp={() => setHelpOpen(true)} />
        </div>
      </header>
      <nav className="frame-menu" aria-label={texts.frame.menu}>
        <MenuList onSelect={() => undefined} />
      </nav>
      <main className="frame-screen" id="screen" tabIndex={-1}>
        <OfflineNote />
        <StaleNote />
        {/* Apart: where they cannot be loaded the screen stays, and where the screen fails the menu stays. */}
        <CatchBoundary getResetKey={() => pathname} errorComponent={ScreenFailure}>
          <Suspense>
            {wasMenuOpen && <MenuDrawer open={isMenuOpen} onClose={() => setMenuOpen(false)} />}
            {wasHelpOpen && <ShortcutHelp open={isHelpOpen} onClose={() => setHelpOpen(false)} />}
          </Suspense>
        </CatchBoundary>
        <CatchBoundary getResetKey={() => pathname} errorComponent={ScreenFailure}>
          {hasScreens ? <Outlet /> : <NoScreen />}
        </CatchBoundary>
      </main>
    </div>
  );
}

function NoScreen() {
  return (
    <Empty title={texts.frame.noScreen} isWhole>
      <p>{texts.frame.noScreenText}</p>
    </Empty>
  );
}
