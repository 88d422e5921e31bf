// The feed of events, newest first. It grows by itself at its top; when the reader scrolls or pauses, new events wait.
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Pause, Play } from 'lucide-react';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { useSession } from '../../api/use-session';
import { Breakable } from '../../parts/breakable';
import { Button } from '../../parts/button';
import { ChangeBar } from '../../parts/change-bar';
import { ChargerLink } from '../../parts/charger-link';
import { Choice } from '../../parts/choice';
import { Copyable } from '../../parts/copy';
import { DataTable, type Column } from '../../parts/data-table';
import { isToday } from '../../parts/format';
import { Dialog } from '../../parts/dialog';
import { Json, visibleOf } from '../../parts/json';
import { Empty, FailureNote, NothingFound } from '../../parts/notes';
import { SearchField } from '../../parts/search-field';
import { DateTime, Clock } from '../../parts/time';
import '../../parts/toolbar.css';
import { useIsScrolled } from '../../parts/use-is-scrolled';
import { useTitle } from '../../parts/use-title';
import { SiteChoice } from '../../records/site-choice';
import { useSitePath } from '../../records/sites';
import { texts } from '../../texts';
import { eventsTexts as words } from '../../texts/events';
import { endedCommandOf, MAX_EVENTS } from './event-list';
import {
  curlOf,
  curlOfEvent,
  isFiltered,
  parseEventsSearch,
  STANDARD,
  typesFor,
  type EventsSearch,
} from './events-search';
import './events.css';
import { useEvents, type Events } from './use-events';

type Event = Schemas['Event'];

const MAX_CONTENT = 200;

export function EventsScreen() {
  useTitle(words.title);
  const { type, charger, site } = useSearch({ from: '/events' });
  const [isCurlOpen, setCurlOpen] = useState(false);
  const search = useMemo<EventsSearch>(() => ({ type, charger, site }), [type, charger, site]);
  return (
    <>
      <header className="screen-head">
        <h1>{words.title}</h1>
        <Button onClick={() => setCurlOpen(true)}>{words.curl}</Button>
      </header>
      <section className="card" aria-label={words.title}>
        {/* Another filter is another list. */}
        <Feed key={JSON.stringify(search)} search={search} />
      </section>
      <Dialog open={isCurlOpen} onClose={() => setCurlOpen(false)} title={words.curl} description={words.curlHint}>
        <Copyable text={curlOf(location.origin, search)} />
      </Dialog>
    </>
  );
}

function Feed({ search }: { readonly search: EventsSearch }) {
  const [isPaused, setPaused] = useState(false);
  const isScrolled = useIsScrolled();
  const events = useEvents(search, isPaused || isScrolled);
  return (
    <>
      <Toolbar
        search={search}
        isPaused={isPaused}
        onPause={() => {
          if (isPaused) events.show();
          setPaused(!isPaused);
        }}
      />
      <ChangeBar
        count={events.list.waiting.length}
        text={words.waiting(events.list.waiting.length)}
        onShow={() => {
          events.show();
          window.scrollTo({ top: 0 });
        }}
      />
      <List events={events} search={search} />
    </>
  );
}

interface ToolbarProps {
  readonly search: EventsSearch;
  readonly isPaused: boolean;
  readonly onPause: () => void;
}

function Toolbar({ search, isPaused, onPause }: ToolbarProps) {
  const navigate = useNavigate({ from: '/events' });
  const { permissions } = useSession();
  const change = useCallback(
    (part: Partial<EventsSearch>) =>
      void navigate({ search: (before) => parseEventsSearch({ ...before, ...part }), replace: true }),
    [navigate],
  );
  const onCharger = useCallback((charger: string | undefined) => change({ charger }), [change]);
  return (
    <div className="toolbar">
      <SearchField label={words.charger} value={search.charger} onChange={onCharger} />
      <Choice
        label={words.type}
        value={search.type ?? STANDARD}
        options={[[STANDARD, words.standard], ...typesFor(permissions).map((type) => [type, type] as const)]}
        onChange={(value) => change({ type: parseEventsSearch({ type: value }).type })}
      />
      <SiteChoice site={search.site} hint={words.siteHint} onChoose={(site) => change({ site })} />
      <span className="toolbar-end">
        <Button size="s" icon={isPaused ? <Play /> : <Pause />} onClick={onPause}>
          {isPaused ? words.resume : words.pause}
        </Button>
      </span>
    </div>
  );
}

interface ListProps {
  readonly events: Events;
  readonly search: EventsSearch;
}

function List({ events, search }: ListProps) {
  const { list, isRead, error, isOlderFailed, retry } = events;
  const failure = error !== null && <FailureNote title={words.failed} error={error} onRetry={retry} />;
  const isEmpty = list.shown.length === 0;
  if (isEmpty && !isRead && failure !== false) return failure;
  return (
    <>
      {!isOlderFailed && failure}
      {isEmpty && isRead ? <Nothing search={search} /> : <EventTable rows={isEmpty ? undefined : list.shown} />}
      {list.shown.length < MAX_EVENTS && <Older events={events} failure={isOlderFailed && failure} />}
      {list.shown.length === MAX_EVENTS && <p className="event-note">{words.bounded(MAX_EVENTS)}</p>}
    </>
  );
}

/** `rows`: undefined while none is read. */
function EventTable({ rows }: { readonly rows: readonly Event[] | undefined }) {
  const [open, setOpen] = useState<Event>();
  return (
    <>
      <DataTable label={words.title} columns={columnsOf(setOpen)} rows={rows} keyOf={({ id }) => id} />
      <Dialog kind="drawer" open={open !== undefined} onClose={() => setOpen(undefined)} title={open?.type ?? ''}>
        {open !== undefined && <Detail event={open} />}
      </Dialog>
    </>
  );
}

interface OlderProps {
  readonly events: Events;
  /** Of the last search. */
  readonly failure: ReactNode;
}

function Older({ events: { hasOlder, isSearching, searchOlder }, failure }: OlderProps) {
  if (!hasOlder) return null;
  return (
    <>
      {failure}
      <p className="event-note">
        {words.older}{' '}
        <Button size="s" busy={isSearching} onClick={searchOlder}>
          {words.searchOlder}
        </Button>
      </p>
    </>
  );
}

function Nothing({ search }: { readonly search: EventsSearch }) {
  const navigate = useNavigate({ from: '/events' });
  const { type, charger, site } = search;
  const sitePath = useSitePath(site);
  if (!isFiltered(search)) {
    return (
      <Empty title={words.empty}>
        <p>{words.emptyText}</p>
      </Empty>
    );
  }
  const filters = [
    charger !== undefined && `${words.charger}: ${charger}`,
    type !== undefined && `${words.type}: ${type}`,
    site !== undefined && `${texts.fleet.site}: ${sitePath}`,
  ];
  return (
    <NothingFound title={words.nothing} filters={filters} onClear={() => void navigate({ search: {} })}>
      <p>{words.nothingText}</p>
    </NothingFound>
  );
}

/** An event of a webhook is not read by its id. */
function Detail({ event }: { readonly event: Event }) {
  return (
    <>
      <Json value={event} />
      {event.chargerId !== null && <Copyable text={curlOfEvent(location.origin, event)} />}
    </>
  );
}

function columnsOf(onOpen: (event: Event) => void): readonly Column<Event>[] {
  return [
    { label: words.time, cell: ({ timestamp }) => <Time at={timestamp} /> },
    {
      label: words.event,
      cell: (event) => (
        <>
          <button type="button" className="link-button event-type" onClick={() => onOpen(event)}>
            <code>
              <Breakable text={event.type} />
            </code>
          </button>
          {event.chargerId !== null && (
            <div className="event-charger">
              <ChargerLink chargerId={event.chargerId} />
              <CommandOutcome event={event} chargerId={event.chargerId} />
            </div>
          )}
        </>
      ),
    },
    {
      label: words.content,
      rank: 2,
      cell: ({ data }) => (
        <span className="event-content">{visibleOf(JSON.stringify(data).slice(0, MAX_CONTENT))}</span>
      ),
    },
  ];
}

/** What became of a command, with the frames of that time; nothing for other events. */
function CommandOutcome({ event, chargerId }: { readonly event: Event; readonly chargerId: string }) {
  const { permissions } = useSession();
  const mayRead = permissions.includes('logs:read') && permissions.includes('chargers:read');
  const ended = endedCommandOf(event);
  if (ended === undefined) return null;
  const text = words.ended(ended.operation, ended.outcome);
  const className = ended.isFailed ? 'event-outcome event-failed' : 'event-outcome';
  if (!mayRead) return <span className={className}>{text}</span>;
  return (
    <Link
      className={className}
      to="/chargers/$chargerId"
      params={{ chargerId }}
      search={{ tab: 'frames', until: ended.framesUntil, command: ended.commandId ?? undefined }}
      title={words.framesThen}
    >
      {text}
    </Link>
  );
}

/** To the second where it was today. */
function Time({ at }: { readonly at: string }) {
  return isToday(at) ? <Clock at={at} /> : <DateTime at={at} />;
}
