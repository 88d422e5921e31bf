// One charger: its state and connection, its sockets, and tabs with what it sent, charged and stores.
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { isFailure } from '../../api/problem';
import { useSession } from '../../api/use-session';
import type { Permission } from '../../api/session';
import { lazyPart } from '../../parts/lazy-part';
import { FailureNote, Skeleton } from '../../parts/notes';
import { Tabs } from '../../parts/tabs';
import { useTitle } from '../../parts/use-title';
import { texts } from '../../texts';
import { ChargerHead } from './charger-head';
import { TABS, type TabKey } from './charger-search';
import './charger.css';
import { CommandDrawer } from './commands/command-drawer';
import type { CommandRequest } from './commands/definitions';
import { NeverConnected } from './never-connected';
import { NotRegistered } from './not-registered';
import { RejectedSince } from './rejected-attempts';
import { Sockets } from './sockets';
import { useCharger, type Charger } from './use-charger';

const FramesTab = lazyPart(() => import('./frames/frames-tab'), 'FramesTab');

interface Tab {
  readonly permission: Permission;
  readonly content: (charger: Charger, command: (request: CommandRequest) => void) => ReactNode;
}

const SessionsTab = lazyPart(() => import('./sessions-tab'), 'SessionsTab');

const ConfigurationTab = lazyPart(() => import('./configuration-tab'), 'ConfigurationTab');
const HeldTab = lazyPart(() => import('./held/held-tab'), 'HeldTab');
const RegistrationTab = lazyPart(() => import('./registration/registration-tab'), 'RegistrationTab');
const StatesTab = lazyPart(() => import('./states-tab'), 'StatesTab');

/** A tab is here only when it exists. */
const CONTENTS: Partial<Record<TabKey, Tab>> = {
  frames: { permission: 'logs:read', content: ({ chargerId }) => <FramesTab key={chargerId} chargerId={chargerId} /> },
  sessions: {
    permission: 'sessions:read',
    content: ({ chargerId }, command) => <SessionsTab chargerId={chargerId} onCommand={command} />,
  },
  configuration: {
    permission: 'chargers:read',
    content: ({ chargerId }) => <ConfigurationTab chargerId={chargerId} />,
  },
  states: {
    permission: 'chargers:read',
    content: ({ chargerId, sockets }) => <StatesTab key={chargerId} chargerId={chargerId} sockets={sockets} />,
  },
  held: { permission: 'chargers:read', content: (charger) => <HeldTab charger={charger} /> },
  registration: { permission: 'chargers:read', content: (charger) => <RegistrationTab charger={charger} /> },
};

export function ChargerScreen() {
  const { chargerId } = useParams({ from: '/chargers/$chargerId' });
  const { data: charger, error, refetch } = useCharger(chargerId);
  const [request, setRequest] = useState<CommandRequest>();
  useTitle(charger?.name ?? chargerId);
  if (charger === undefined) {
    if (error === null) return <ChargerSkeleton />;
    if (isFailure(error) && error.code === 'not_found') {
      return <NotRegistered chargerId={chargerId} />;
    }
    return <FailureNote isWhole title={texts.charger.failed} error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <ChargerHead charger={charger} onCommand={setRequest} />
      {charger.ocppVersion === null && <NeverConnected chargerId={chargerId} />}
      {charger.ocppVersion !== null && !charger.activeConnection && <RejectedSince charger={charger} />}
      <Sockets charger={charger} onCommand={setRequest} />
      <ChargerTabs charger={charger} onCommand={setRequest} />
      <CommandDrawer charger={charger} request={request} onClose={() => setRequest(undefined)} />
    </>
  );
}

function ChargerTabs({
  charger,
  onCommand,
}: {
  readonly charger: Charger;
  readonly onCommand: (request: CommandRequest) => void;
}) {
  const { permissions } = useSession();
  const search = useSearch({ from: '/chargers/$chargerId' });
  const navigate = useNavigate();
  const open = (tab: TabKey) => void navigate({ to: '.', search: { tab }, replace: true, resetScroll: false });
  const tabs = TABS.flatMap((key) => {
    const tab = CONTENTS[key];
    if (tab === undefined || !permissions.includes(tab.permission)) return [];
    return [{ key, label: texts.charger.tabs[key], content: () => tab.content(charger, onCommand) }];
  });
  const first = tabs[0];
  if (first === undefined) return null;
  const shown = tabs.find(({ key }) => key === search.tab) ?? first;
  return <Tabs label={texts.charger.tabsLabel} value={shown.key} onChange={open} tabs={tabs} />;
}

function ChargerSkeleton() {
  return (
    <div className="stack" aria-busy>
      <Skeleton width="220px" />
      <div className="card charger-facts">
        <Skeleton width="80%" />
        <Skeleton width="60%" />
      </div>
    </div>
  );
}
