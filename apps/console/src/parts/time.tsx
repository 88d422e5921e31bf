// Times in the reader's zone, with UTC on hover.
import { useSyncExternalStore } from 'react';
import { serviceClock } from '../api/service-clock';
import { agoOf, clockOf, dateTimeOf, dayOf, durationOf, exactTimeOf, isToday } from './format';

/** `3 min ago`, which moves on by itself. */
export function Ago({ at }: { readonly at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={titleOf(at)}>
      {agoOf(Date.parse(at), now)}
    </time>
  );
}

/** `2 h 14 min` since then. */
export function Since({ at }: { readonly at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={titleOf(at)}>
      {durationOf(now - Date.parse(at))}
    </time>
  );
}

/** To the minute; `isExact`: to the second. */
export function DateTime({ at, isExact = false }: { readonly at: string; readonly isExact?: boolean }) {
  return (
    <time dateTime={at} title={titleOf(at)} className="nowrap">
      {isExact ? exactTimeOf(at) : dateTimeOf(at)}
    </time>
  );
}

/** To the millisecond, for lists of frames. */
export function Clock({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={titleOf(at)} className="nowrap">
      {clockOf(at)}
    </time>
  );
}

interface DayClockProps {
  readonly at: string;
  /** The day in the reader's zone, as `toDateString` writes it. A list that is open over midnight passes another one then. */
  readonly today: string;
}

/** As `Clock`, with the day before it where it is not today. */
export function DayClock({ at, today }: DayClockProps) {
  return (
    <time dateTime={at} title={titleOf(at)} className="nowrap">
      {!isToday(at, today) && <span className="time-day">{dayOf(at)} </span>}
      {clockOf(at)}
    </time>
  );
}

function titleOf(at: string): string {
  return `${dateTimeOf(at)} · ${at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}`;
}

const TICK_MS = 1_000;
const listeners = new Set<() => void>();
let now = serviceClock.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Nobody listened: the time is that of the last one who did.
  if (timer === undefined) now = serviceClock.now();
  timer ??= setInterval(() => {
    now = serviceClock.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time by the service's clock, in milliseconds since 1970, anew each second. One timer for all components. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** Whether a time, RFC 3339, is still to come by the service's clock. It draws anew once that has changed, not each second. */
export function useIsAhead(at: string): boolean {
  return useSyncExternalStore(subscribe, () => Date.parse(at) > now);
}
