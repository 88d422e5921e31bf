import { useQueryClient } from '@tanstack/react-query';
import { CircleUserRound, Keyboard, LogOut } from 'lucide-react';
import { useState } from 'react';
import { reportSignedOut } from '../api/client';
import { signOut } from '../api/session';
import { useSession } from '../api/use-session';
import { IconButton } from '../parts/button';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from '../parts/menu';
import { texts } from '../texts';
import { applyTheme, readTheme, type Theme } from './theme';

const THEMES: readonly (readonly [Theme, string])[] = [
  ['system', texts.frame.themeSystem],
  ['light', texts.frame.themeLight],
  ['dark', texts.frame.themeDark],
];

/** Open when it first appears: `AccountButton` was clicked. */
export function AccountMenu({ onHelp }: { readonly onHelp: () => void }) {
  const { clientId, clientName, keyName } = useSession();
  const client = useQueryClient();
  const [theme, setTheme] = useState(readTheme);
  async function leave(): Promise<void> {
    await signOut();
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'console-session' });
    reportSignedOut();
  }
  return (
    <Menu
      defaultOpen
      trigger={
        <IconButton label={texts.frame.account}>
          <CircleUserRound />
        </IconButton>
      }
    >
      <MenuLabel>{texts.frame.signedInAs(clientName || clientId, keyName)}</MenuLabel>
      <MenuLine />
      <MenuLabel>{texts.frame.theme}</MenuLabel>
      <MenuChoice
        value={theme}
        options={THEMES}
        onChange={(value) => {
          applyTheme(value as Theme);
          setTheme(value as Theme);
        }}
      />
      <MenuLine />
      <MenuItem icon={<Keyboard />} onSelect={onHelp}>
        {texts.frame.shortcuts}
      </MenuItem>
      <MenuItem icon={<LogOut />} onSelect={() => void leave()}>
        {texts.frame.signOut}
      </MenuItem>
    </Menu>
  );
}
