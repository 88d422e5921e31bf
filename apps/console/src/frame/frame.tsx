// What stands around every screen: head, menu, and the notes that concern all of them.
import { CatchBoundary, Link, Outlet, useLocation } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Empty } from '../parts/notes';
import { Wordmark } from '../parts/wordmark';
import { texts } from '../texts';
import { AccountMenu } from './account-menu';
import './frame.css';
import { LiveState } from './live-state';
import { OfflineNote } from './offline-note';
import { ScreenFailure } from './screen-failure';
import { ShortcutHelp, useShortcuts } from './shortcuts';
import { StaleNote } from './stale-note';
import { useMenu } from './use-menu';

export function Frame() {
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const { pathname } = useLocation();
  const hasScreens = useMenu().length > 0;
  useShortcuts(() => setHelpOpen(true));
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
          <AccountMenu onHelp={() => setHelpOpen(true)} />
        </div>
      </header>
      <nav className="frame-menu" aria-label={texts.frame.menu}>
        <MenuList onSelect={() => undefined} />
      </nav>
      <Dialog open={isMenuOpen} onClose={() => setMenuOpen(false)} title={texts.frame.menu} kind="drawer">
        <nav aria-label={texts.frame.menu}>
          <MenuList onSelect={() => setMenuOpen(false)} />
        </nav>
      </Dialog>
      <main className="frame-screen" id="screen" tabIndex={-1}>
        <OfflineNote />
        <StaleNote />
        <CatchBoundary getResetKey={() => pathname} errorComponent={ScreenFailure}>
          {hasScreens ? <Outlet /> : <NoScreen />}
        </CatchBoundary>
      </main>
      <ShortcutHelp open={isHelpOpen} onClose={() => setHelpOpen(false)} />
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

function MenuList({ onSelect }: { readonly onSelect: () => void }) {
  return (
    <ul className="menu-list">
      {useMenu().map(({ path, label, icon: Icon }) => (
        <li key={path}>
          <Link
            to={path}
            className="menu-link"
            activeProps={{ 'aria-current': 'page' }}
            activeOptions={{ exact: path === '/', includeSearch: false }}
            onClick={onSelect}
          >
            <Icon aria-hidden />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
