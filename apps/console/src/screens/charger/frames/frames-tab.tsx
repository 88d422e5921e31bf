// The log of frames, newest below: it follows until the reader scrolls up.
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, Download, Eraser, Pause, Play } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../../parts/button';
import { saveFile } from '../../../parts/csv';
import { Empty, FailureNote, NothingFound, Skeleton } from '../../../parts/notes';
import { SearchField } from '../../../parts/search-field';
import { DateTime } from '../../../parts/time';
import '../../../parts/toolbar.css';
import { texts } from '../../../texts';
import { framesTexts } from '../../../texts/frames';
import { useChargerSearch } from '../use-charger-search';
import type { Entry, Exchange, Filter } from './frame-buffer';
import { jsonLines } from './frame-buffer';
import { FrameDetail } from './frame-detail';
import { FrameRow } from './frame-row';
import './frames.css';
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
    search: { filter: text = '', heartbeats = false },
    change,
  } = useChargerSearch();
  const [isPaused, setPaused] = useState(false);
  const [open, setOpen] = useState<Exchange>();
  const filter = useMemo<Filter>(() => ({ text, heartbeats }), [text, heartbeats]);
  const frames = useFrames(chargerId, filter, { until, isPaused });
  const { entries } = frames;
  const setText = useCallback((value: string | undefined) => change({ filter: value }), [change]);

  return (
    <div className="card frames">
      <div className="toolbar" role="group" aria-label={framesTexts.toolbar}>
        <SearchField label={framesTexts.filter} value={text === '' ? undefined : text} onChange={setText} />
        <label className="frames-check">
          <input
            type="checkbox"
            checked={heartbeats}
            onChange={(event) => change({ heartbeats: event.target.checked ? true : undefined })}
          />
          {framesTexts.heartbeats}
        </label>
        <span className="toolbar-end">
          {until === undefined && (
            <>
              <Button
                icon={isPaused ? <Play /> : <Pause />}
                aria-pressed={isPaused}
                onClick={() => setPaused(!isPaused)}
              >
                {isPaused ? framesTexts.resume : framesTexts.pause}
              </Button>
              <Button icon={<Eraser />} onClick={() => frames.clear()}>
                {framesTexts.clear}
              </Button>
            </>
          )}
          <Button
            icon={<Download />}
            title={framesTexts.downloadLabel}
            onClick={() => saveFile(`${chargerId}.jsonl`, 'application/jsonl', [jsonLines(entries)])}
          >
            {framesTexts.download}
          </Button>
        </span>
      </div>
      {until !== undefined && (
        <p className="frames-note">
          {framesTexts.until} <DateTime at={until} />{' '}
          <Button size="s" onClick={() => change({ until: undefined })}>
            {framesTexts.newest}
          </Button>
        </p>
      )}
      {frames.isLost && (
        <p className="frames-note frames-lost" role="status">
          {framesTexts.lost}
        </p>
      )}
      {frames.error !== null && (
        <FailureNote title={framesTexts.failed} error={frames.error} onRetry={() => frames.retry()} />
      )}
      {frames.isLoading ? (
        <FramesSkeleton />
      ) : entries.length === 0 ? (
        <div className="frames-view">
          <NoFrame filter={filter} until={until} onClear={() => change({ filter: undefined })} />
        </div>
      ) : (
        <FrameList entries={entries} hasOlder={frames.hasOlder} onOlder={() => frames.loadOlder()} onOpen={setOpen} />
      )}
      <FrameDetail exchange={open} onClose={() => setOpen(undefined)} />
    </div>
  );
}

interface NoFrameProps {
  readonly filter: Filter;
  readonly until: string | undefined;
  readonly onClear: () => void;
}

function NoFrame({ filter: { text, heartbeats }, until, onClear }: NoFrameProps) {
  const notes = (
    <>
      {!heartbeats && <p>{framesTexts.noHeartbeats}</p>}
      {until === undefined && <p>{framesTexts.emptyText}</p>}
    </>
  );
  if (text === '') {
    return <Empty title={until === undefined ? framesTexts.empty : framesTexts.emptyThen}>{notes}</Empty>;
  }
  return (
    <NothingFound title={framesTexts.nothing} filters={[`“${text}”`]} onClear={onClear}>
      {notes}
    </NothingFound>
  );
}

interface FrameListProps {
  readonly entries: readonly Entry[];
  readonly hasOlder: boolean;
  readonly onOlder: () => void;
  readonly onOpen: (exchange: Exchange) => void;
}

function FrameList({ entries, hasOlder, onOlder, onOpen }: FrameListProps) {
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
  useEffect(() => {
    if (isFollowing) setSeenKey(lastKey);
  }, [isFollowing, lastKey]);
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
                <FrameRow entry={entry} onOpen={onOpen} />
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

function FramesSkeleton() {
  return (
    <div className="frames-view frames-skeleton" aria-busy>
      {[70, 55, 80, 62, 74].map((width) => (
        <Skeleton key={width} width={`${String(width)}%`} />
      ))}
    </div>
  );
}
