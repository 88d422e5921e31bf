import { useMemo } from 'react';
import { useConsoleConfig } from '../api/console-config';
import { useSession } from '../api/use-session';
import { MENU, type MenuEntry } from './screens';

/** The screens that the key of the session may see and this deployment has. */
export function useMenu(): readonly MenuEntry[] {
  const { permissions } = useSession();
  const hasTiles = typeof useConsoleConfig().data?.tilesUrl === 'string';
  return useMemo(
    () =>
      MENU.filter(
        ({ permission, needsTiles = false }) => permissions.includes(permission) && (hasTiles || !needsTiles),
      ),
    [permissions, hasTiles],
  );
}
