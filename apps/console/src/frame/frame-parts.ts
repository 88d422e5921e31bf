// What the frame shows only when the reader asks for it. It is loaded once the first screen has been drawn, so that it is there without a
// network too.
import { useEffect } from 'react';
import { lazyPart } from '../parts/lazy-part';

const AFTER_MS = 2_000;

export const AccountMenu = lazyPart(() => import('./account-menu'), 'AccountMenu');
export const MenuDrawer = lazyPart(() => import('./menu-drawer'), 'MenuDrawer');
export const ShortcutHelp = lazyPart(() => import('./shortcut-help'), 'ShortcutHelp');

export function useFrameParts(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const part of [AccountMenu, MenuDrawer, ShortcutHelp]) void part.preload?.();
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}
