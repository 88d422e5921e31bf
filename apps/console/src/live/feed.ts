// The feed of events of all tabs of this browser: one stream, held by the tab that has the lock, which passes events on. Browsers
// allow few connections to a server, and a stream takes one for as long as it lasts.
import type { Schemas } from '../api/client';
import { serviceClock } from '../api/service-clock';
import { isSameNeed, selects, streamUrl, unite, type Need } from './needs';
import { openServerEvents, type ServerEvents, type StreamState } from './server-events';
import { watchSight } from './use-in-sight';

export type FeedEvent = Schemas['Event'];

export interface FeedStatus {
  /** `idle`: no screen needs events. */
  readonly state: StreamState | 'idle';
  /** Between an event and its arrival. */
  readonly lagMs: number;
}

export interface Feed {
  /** Calls `onEvent` for what the need selects, and `onGap` where events may have been missed. Returns how to stop that. */
  follow(need: Need, listener: FeedListener): () => void;
  status(): FeedStatus;
  onStatus(listener: () => void): () => void;
  stop(): void;
}

export interface FeedListener {
  onEvent(event: FeedEvent): void;
  onGap(): void;
}

type Message =
  | { readonly kind: 'needs'; readonly tab: string; readonly needs: readonly Need[] }
  | { readonly kind: 'ask' }
  | { readonly kind: 'event'; readonly event: FeedEvent }
  | { readonly kind: 'gap' }
  | { readonly kind: 'status'; readonly status: FeedStatus };

const LOCK = 'busbar-stream';
/** Scrolling changes needs many times a second. */
const SETTLE_MS = 300;
const MAX_TABS = 50;

/**
 * The lock and the channel are of this session: those of another client's tabs are others. `beginning`: a position before what the page has
 * read, where one is known; without it all is read anew when the stream opens.
 */
export function createFeed(sessionId: string, beginning: () => string | undefined = () => undefined): Feed {
  const tab = crypto.randomUUID();
  const name = `${LOCK}:${sessionId}`;
  const channel = new BroadcastChannel(name);
  const followers = new Map<symbol, { readonly need: Need; readonly listener: FeedListener }>();
  const statusListeners = new Set<() => void>();
  const stopped = new AbortController();
  let status: FeedStatus = { state: 'idle', lagMs: 0 };
  let holder: ReturnType<typeof createHolder> | undefined;
  let release: (() => void) | undefined;
  let isWaiting = false;
  /** Whether another tab, or this one before it was hidden, had the stream: events since are missed. */
  let hasFollowed = false;

  const ownNeeds = () => (isStopped() ? [] : [...followers.values()].map(({ need }) => need));
  const isStopped = () => stopped.signal.aborted;

  function announceNeeds(): void {
    const needs = ownNeeds();
    if (holder !== undefined) holder.setNeeds(tab, needs);
    else if (!isStopped()) channel.postMessage({ kind: 'needs', tab, needs } satisfies Message);
  }

  function receive(message: Message): void {
    if (message.kind === 'needs') onNeedsOfTab(message.tab, message.needs);
    else if (message.kind === 'ask') announceNeeds();
    else if (message.kind === 'event') deliver(message.event);
    else if (message.kind === 'gap') for (const { listener } of [...followers.values()]) listener.onGap();
    else setStatus(message.status);
  }

  /** A tab that opens later learns how the stream stands: what it needs may change nothing. */
  function onNeedsOfTab(of: string, needs: readonly Need[]): void {
    if (holder === undefined) return;
    holder.setNeeds(of, needs);
    channel.postMessage({ kind: 'status', status } satisfies Message);
  }

  function deliver(event: FeedEvent): void {
    for (const { need, listener } of [...followers.values()]) if (selects(need, event)) listener.onEvent(event);
  }

  function setStatus(next: FeedStatus): void {
    status = next;
    if (next.state === 'open') hasFollowed = true;
    for (const listener of statusListeners) listener();
  }

  function publish(message: Message): void {
    channel.postMessage(message);
    receive(message);
  }

  /** Waits for the lock, and holds the stream until it is released: by `stop`, or while the tab is hidden. */
  function hold(): void {
    if (isWaiting || release !== undefined || isStopped() || document.hidden) return;
    isWaiting = true;
    const held = () =>
      new Promise<void>((resolve) => {
        isWaiting = false;
        if (isStopped()) return resolve();
        holder = createHolder(publish, hasFollowed, beginning);
        hasFollowed = true;
        release = () => {
          holder?.stop();
          holder = undefined;
          release = undefined;
          resolve();
        };
        announceNeeds();
        channel.postMessage({ kind: 'ask' } satisfies Message);
      });
    navigator.locks.request(name, { signal: stopped.signal }, held).catch(() => (isWaiting = false));
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => receive(data);
  const onLeave = () => channel.postMessage({ kind: 'needs', tab, needs: [] } satisfies Message);
  window.addEventListener('pagehide', onLeave);
  const endWatch = watchSight((isInSight) => (isInSight ? hold() : release?.()));

  return {
    follow(need, listener) {
      const key = Symbol('follower');
      followers.set(key, { need, listener });
      announceNeeds();
      return () => {
        followers.delete(key);
        announceNeeds();
      };
    },
    status: () => status,
    onStatus(listener) {
      statusListeners.add(listener);
      return () => statusListeners.delete(listener);
    },
    stop() {
      onLeave();
      stopped.abort();
      endWatch();
      window.removeEventListener('pagehide', onLeave);
      release?.();
      channel.close();
    },
  };
}

/** An event that comes later than this is late. */
const LATE_MS = 1_000;
const QUIET_MS = 5_000;

/** The stream itself, for what all tabs need together. `takesOver`: another stream ended before it, and there is a gap between. */
function createHolder(publish: (message: Message) => void, takesOver: boolean, beginning: () => string | undefined) {
  const needsOfTabs = new Map<string, readonly Need[]>();
  let current: Need | undefined;
  let stream: ServerEvents | undefined;
  let cursor: string | undefined;
  /** Whether the service no longer has the position: that of the beginning is not better. */
  let isExpired = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let quiet: ReturnType<typeof setTimeout> | undefined;
  let wasLost = false;
  let hasGap = takesOver;
  let status: FeedStatus = { state: 'idle', lagMs: 0 };

  function setStatus(change: Partial<FeedStatus>): void {
    status = { ...status, ...change };
    publish({ kind: 'status', status });
  }

  function onState(state: StreamState): void {
    if (state === 'lost') wasLost = hasGap = true;
    if (state === 'open') {
      wasLost = false;
      if (hasGap) publish({ kind: 'gap' });
      hasGap = false;
    }
    // A short connection attempt after a loss is still a loss to the reader.
    if (state !== 'connecting' || !wasLost) setStatus({ state, lagMs: 0 });
  }

  function apply(): void {
    const wanted = unite([...needsOfTabs.values()].flat());
    if (isSameNeed(wanted, current)) return;
    current = wanted;
    stream?.close();
    stream = undefined;
    wasLost = false;
    if (wanted === undefined) {
      setStatus({ state: 'idle', lagMs: 0 });
      return;
    }
    cursor ??= takesOver || isExpired ? undefined : beginning();
    // It begins when it opens: nothing brings what happened since the screens were read, such as after a sign-in by the form.
    if (cursor === undefined) hasGap = true;
    stream = openServerEvents({
      url: (lastEventId) => streamUrl(wanted, lastEventId ?? cursor),
      onState,
      // Without a position the stream begins when it opens: what is shown is read anew then, as `lost` made a gap.
      onExpired: () => {
        cursor = undefined;
        isExpired = true;
      },
      onMessage(message) {
        if (message.id !== undefined) cursor = message.id;
        if (message.event === 'end') return;
        const event = JSON.parse(message.data) as FeedEvent;
        publish({ kind: 'event', event });
        const lagMs = Math.max(0, serviceClock.now() - Date.parse(event.timestamp));
        if (lagMs > LATE_MS || status.lagMs > LATE_MS) setStatus({ lagMs });
        clearTimeout(quiet);
        // Where nothing more comes, it is behind no longer.
        if (lagMs > LATE_MS) quiet = setTimeout(() => setStatus({ lagMs: 0 }), QUIET_MS);
      },
    });
  }

  return {
    setNeeds(tab: string, needs: readonly Need[]) {
      if (needs.length === 0) needsOfTabs.delete(tab);
      else needsOfTabs.set(tab, needs);
      // Tabs that crashed never withdraw.
      if (needsOfTabs.size > MAX_TABS) needsOfTabs.delete([...needsOfTabs.keys()][0] ?? '');
      clearTimeout(timer);
      timer = setTimeout(apply, current === undefined ? 0 : SETTLE_MS);
    },
    stop() {
      clearTimeout(timer);
      clearTimeout(quiet);
      stream?.close();
    },
  };
}
