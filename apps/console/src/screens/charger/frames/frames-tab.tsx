// The log of frames, newest below: it follows until the reader scrolls up.
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useAnnounced } from '../../../parts/announcer';
import { Button } from '../../../parts/button';
import { FailureNote, Skeleton } from '../../../parts/notes';
import { DateTime } from '../../../parts/time';
import { texts } from '../../../texts';
import { framesTexts } from '../../../texts/frames';
import { useChargerSearch } from '../use-charger-search';
import type { Entry, Exchange, Filter } from './frame-buffer';
import { FrameDetail } from './frame-detail';
import { FrameRow } from './frame-row';
import './frames.css';
import { FramesToolbar } from './frames-toolbar';
import { NoFrame } from './no-frame';
import { useFrames } from './use-frames';

const ROW_HEIGHT = 34;
const OVERSCAN = 12;
/** Nearer to the end than this, the view follows. */
const FOLLOW_PX = ROW_HEIGHT * 2;

export function FramesTab({ chargerId }: { readonly chargerId: string }) {
  const { until } = useChargerSearch().search;
  return <FrameLog key={until ?? ''} chargerId={chargerId} until={until} />;
}

interface FrameLogProps {
  readonly chargerId: string;
  /** Undefined: the newest ones, as they come. */
  readonly until: string | undefined;
}

function FrameLog({ chargerId, until }: FrameLogProps) {
  const {
    search: { filter: text = '', heartbeats = false, failed = false, command },
    change,
  } = useChargerSearch();
  const [isPaused, setPaused] = useState(false);
  const [open, setOpen] = useState<Exchange>();
  const filter = useMemo<Filter>(() => ({ text, heartbeats, failed }), [text, heartbeats, failed]);
  const frames = useFrames(chargerId, filter, { until, isPaused, command });
  const { entries } = frames;

  return (
    <div className="card frames">
      <FramesToolbar
        chargerId={chargerId}
        filter={filter}
        entries={entries}
        isPaused={isPaused}
        onPause={until === undefined ? setPaused : undefined}
        onClear={() => frames.clear()}
      />
      {until !== undefined && (
        <p className="frames-note">
          {framesTexts.until} <DateTime at={until} />{' '}
          <Button size="s" onClick={() => change({ until: undefined, command: undefined })}>
            {framesTexts.newest}
          </Button>
        </p>
      )}
      {frames.isLost && <Lost />}
      {frames.error !== null && (
        <FailureNote title={framesTexts.failed} error={frames.error} onRetry={() => frames.retry()} />
      )}
      {frames.isLoading ? (
        <FramesSkeleton />
      ) : entries.length === 0 ? (
        frames.error === null && (
          <div className="frames-view">
            <NoFrame
              filter={filter}
              until={until}
              frames={frames}
              onClear={() => change({ filter: undefined, failed: undefined })}
            />
          </div>
        )
      ) : (
        <FrameList
          entries={entries}
          command={command}
          hasOlder={frames.hasOlder}
          searchedBackTo={failed ? frames.readTo : undefined}
          onOlder={() => frames.loadOlder()}
          onOpen={setOpen}
        />
      )}
      <FrameDetail exchange={open} onClose={() => setOpen(undefined)} />
    </div>
  );
}

function Lost() {
  useAnnounced(framesTexts.lost);
  return <p className="frames-note frames-lost">{framesTexts.lost}</p>;
}

interface FrameListProps {
  readonly entries: readonly Entry[];
  /** Its frames are marked, and in sight at first. */
  readonly command: string | undefined;
  readonly hasOlder: boolean;
  /** Where a page that was read may show nothing new: how far it was read. */
  readonly searchedBackTo: string | undefined;
  readonly onOlder: () => void;
  readonly onOpen: (exchange: Exchange) => void;
}

function FrameList({ entries, command, hasOlder, searchedBackTo, onOlder, onOpen }: FrameListProps) {
  const view = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(true);
  const lastKey = entries.at(-1)?.key;
  const [seenKey, setSeenKey] = useState(lastKey);
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => view.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => entries[index]?.key ?? index,
    overscan: OVERSCAN,
  });
  useKeptPosition(view, entries, isFollowing);
  useMarkedInSight(view, entries, command);
  useEffect(() => {
    if (isFollowing) setSeenKey(lastKey);
  }, [isFollowing, lastKey]);
  const today = new Date().toDateString();
  const unseen = isFollowing ? 0 : entries.length - 1 - entries.findLastIndex(({ key }) => key === seenKey);

  function onScroll(): void {
    const element = view.current;
    if (element === null) return;
    setFollowing(element.scrollHeight - element.scrollTop - element.clientHeight < FOLLOW_PX);
  }

  function toNewest(): void {
    setFollowing(true);
    view.current?.scrollTo({ top: view.current.scrollHeight });
  }

  return (
    <div className="frames-frame">
      <div
        className="frames-view"
        ref={view}
        onScroll={onScroll}
        tabIndex={0}
        role="region"
        aria-label={texts.charger.tabs.frames}
      >
        {hasOlder && (
          <div className="frames-older">
            {searchedBackTo !== undefined && (
              <span className="muted">
                {framesTexts.searchedBackTo} <DateTime at={searchedBackTo} />
              </span>
            )}
            <Button size="s" kind="quiet" onClick={onOlder}>
              {framesTexts.older}
            </Button>
          </div>
        )}
        <ol className="frame-rows" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const entry = entries[item.index];
            if (entry === undefined) return null;
            return (
              <li key={item.key} className="frame-place" style={{ transform: `translateY(${String(item.start)}px)` }}>
                <FrameRow entry={entry} today={today} isMarked={isOf(command, entry)} onOpen={onOpen} />
              </li>
            );
          })}
        </ol>
      </div>
      {!isFollowing && (
        <Button className="frames-newest" icon={<ArrowDown />} onClick={toNewest}>
          {framesTexts.follow(Math.max(0, unseen))}
        </Button>
      )}
    </div>
  );
}

/** Follows the newest row; or keeps what the reader looks at in its place when rows come in front or fall out. */
function useKeptPosition(
  view: React.RefObject<HTMLDivElement | null>,
  entries: readonly Entry[],
  isFollowing: boolean,
): void {
  const before = useRef<readonly Entry[]>([]);
  useLayoutEffect(() => {
    const element = view.current;
    const previous = before.current;
    before.current = entries;
    if (element === null) return;
    if (isFollowing) {
      element.scrollTop = element.scrollHeight;
      return;
    }
    const firstKey = previous[0]?.key;
    const shift = entries.findIndex(({ key }) => key === firstKey);
    if (shift > 0) element.scrollTop += shift * ROW_HEIGHT;
    else if (shift === -1) {
      const newFirst = entries[0]?.key;
      const fallen = previous.findIndex(({ key }) => key === newFirst);
      if (fallen > 0) element.scrollTop -= fallen * ROW_HEIGHT;
    }
  }, [view, entries, isFollowing]);
}

function isOf(command: string | undefined, entry: Entry): boolean {
  return command !== undefined && entry.kind === 'exchange' && entry.exchange.commandId === command;
}

/** Brings the last frame of the command into sight, and the log with it; once: from there the reader scrolls. */
function useMarkedInSight(
  view: React.RefObject<HTMLDivElement | null>,
  entries: readonly Entry[],
  command: string | undefined,
): void {
  const shown = useRef<string>(undefined);
  useLayoutEffect(() => {
    const element = view.current;
    const index = entries.findLastIndex((entry) => isOf(command, entry));
    if (element === null || index === -1 || shown.current === command) return;
    shown.current = command;
    element.scrollTop = index * ROW_HEIGHT - element.clientHeight / 2;
    element.scrollIntoView({ block: 'nearest' });
  }, [view, entries, command]);
}

function FramesSkeleton() {
  return (
    <div className="frames-view frames-skeleton" aria-busy>
      {[70, 55, 80, 62, 74].map((width) => (
        <Skeleton key={width} width={`${String(width)}%`} />
      ))}
    </div>
  );
}
