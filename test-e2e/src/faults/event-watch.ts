// What readers of the feed and a receiver of webhooks get during an episode, compared with what chargers were answered.
import { openReceiver, type Receiver } from '@busbar/testing';
import type { ReceivedEvent } from '../harness/receiver';
import { followByPage, followByStream, type FeedFollower, type FeedSource } from './feed-followers';
import { isStarted, type Ledger } from './ledger';
import type { Random } from './random';

export interface EventWatch {
  /** What is missing, or came twice, or in another order, in sentences. For chargers that have disconnected. */
  differences(ledgers: readonly Ledger[]): readonly string[];
  /** Ends the connections of the readers and of the receiver, in the middle of what they get. */
  cut(): void;
  /** Stops the readers and deletes the webhook. */
  stop(): Promise<void>;
}

/** Of every type, so that the sequences of a charger are 1, 2, 3 … without a gap. */
const ALL_TYPES = '*,socket.state_reported,meter.values';
/** What the webhook and the stream are about: fewer, since the one process alone takes thousands of messages a second. */
const FEW_TYPES = [
  'charger.created',
  'charger.connected',
  'charger.disconnected',
  'charger.booted',
  'session.started',
  'session.ended',
];

/** The receiver refuses so many of its requests. */
const REFUSED = 0.03;

/** Begins before the chargers are registered, so that it gets every event of theirs. */
export async function watchEvents(source: FeedSource, random: Random): Promise<EventWatch> {
  const receiver = await openReceiver();
  receiver.answer(() => ({ status: random.chance(REFUSED) ? 500 : 200 }));
  const body = { url: receiver.url, types: FEW_TYPES };
  const made = await source.v2('/webhooks', { method: 'POST', body });
  if (made.status !== 200) throw new Error(`the webhook of the episode: ${made.text}`);
  const { id } = made.json as { readonly id: string };
  const pages = await followByPage(source, ALL_TYPES);
  const stream = await followByStream(source, FEW_TYPES.join(','));
  return {
    differences: (ledgers) => differencesOf(ledgers, { pages, stream, receiver }),
    cut() {
      for (const each of [pages, stream, receiver]) each.cut();
    },
    async stop() {
      await Promise.all([pages.stop(), stream.stop()]);
      const deleted = await source.v2(`/webhooks/${id}`, { method: 'DELETE' });
      await receiver.stop();
      if (deleted.status !== 200) throw new Error(`deleting the webhook of the episode: ${deleted.text}`);
    },
  };
}

interface Received {
  readonly pages: FeedFollower;
  readonly stream: FeedFollower;
  readonly receiver: Receiver;
}

function differencesOf(ledgers: readonly Ledger[], { pages, stream, receiver }: Received): readonly string[] {
  const read = byCharger(pages.events);
  const streamed = byCharger(stream.events);
  const pushed = byCharger(receiver.requests.filter(({ status }) => status < 300).map(({ event }) => event));
  return ledgers.flatMap((ledger) => {
    const { chargerId } = ledger;
    const events = read.get(chargerId) ?? [];
    const few = idsOf(events.filter(({ type }) => FEW_TYPES.includes(type)));
    const wrongOf = (who: string, ids: readonly string[]): string[] =>
      few.join() === ids.join()
        ? []
        : [`${chargerId}: ${who} has ${String(ids.length)} of ${String(few.length)} events`];
    return [
      ...numbersOf(chargerId, events),
      ...lastConnection(chargerId, events),
      ...missing(ledger, events),
      ...wrongOf('the stream', idsOf(streamed.get(chargerId) ?? [])),
      // A repeated delivery is allowed; the first arrivals are in order.
      ...wrongOf('the receiver', [...new Set(idsOf(pushed.get(chargerId) ?? []))]),
    ];
  });
}

type Named = Pick<ReceivedEvent, 'id' | 'chargerId'>;

function byCharger<T extends Named>(events: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const all = new Map<string, T[]>();
  for (const event of events) {
    const own = all.get(event.chargerId ?? '');
    if (own === undefined) all.set(event.chargerId ?? '', [event]);
    else own.push(event);
  }
  return all;
}

function idsOf(events: readonly Named[]): readonly string[] {
  return events.map(({ id }) => id);
}

function numbersOf(chargerId: string, events: readonly ReceivedEvent[]): string[] {
  const wrong = events.find(({ sequence }, n) => sequence !== n + 1);
  if (wrong === undefined) return [];
  return [`${chargerId}: event ${String(events.indexOf(wrong) + 1)} has the sequence ${String(wrong.sequence)}`];
}

function lastConnection(chargerId: string, events: readonly ReceivedEvent[]): string[] {
  const type = events.findLast((event) => /^charger\.(dis)?connected$/.test(event.type))?.type;
  return type === 'charger.disconnected' ? [] : [`${chargerId}: its last connection event is ${String(type)}`];
}

/** What was answered has an event: one of each session, and one of each time that a message without an answer was sent again. */
function missing(ledger: Ledger, events: readonly ReceivedEvent[]): string[] {
  const { statuses, meterValues, sessions } = ledger;
  const answered = (entries: ReadonlyMap<string, { readonly answered: boolean }>): string[] =>
    [...entries].filter(([, entry]) => entry.answered).map(([at]) => at);
  const started = sessions.filter(isStarted);
  const stopped = sessions.filter(({ stop }) => stop?.answered === true);
  return [
    ...counted(ledger, events, {
      types: ['socket.state_changed', 'socket.state_reported'],
      at: deviceTimeOf,
      expected: answered(statuses),
    }),
    ...counted(ledger, events, {
      types: ['meter.values'],
      at: firstTimeOf,
      repeats: true,
      expected: answered(meterValues),
    }),
    ...counted(ledger, events, { types: ['session.started'], at: startTimeOf, expected: started.map(startOf) }),
    ...counted(ledger, events, { types: ['session.ended'], at: startTimeOf, expected: stopped.map(startOf) }),
  ];
}

interface Expected {
  readonly types: readonly string[];
  /** The one time that each message of a charger has. */
  readonly at: (data: ReceivedEvent['data']) => unknown;
  readonly expected: readonly string[];
  /** The charger may have sent it several times. */
  readonly repeats?: boolean;
}

function counted(
  { chargerId }: Ledger,
  events: readonly ReceivedEvent[],
  { types, at, expected, repeats = false }: Expected,
): string[] {
  const counts = new Map<unknown, number>();
  for (const { type, data } of events) if (types.includes(type)) counts.set(at(data), (counts.get(at(data)) ?? 0) + 1);
  return expected.flatMap((time) => {
    const count = counts.get(time) ?? 0;
    return count === 1 || (repeats && count > 1)
      ? []
      : [`${chargerId}: ${String(count)} events ${types.join(', ')} of ${time}`];
  });
}

function deviceTimeOf({ deviceTime }: ReceivedEvent['data']): unknown {
  return deviceTime;
}

function startTimeOf({ startTime }: ReceivedEvent['data']): unknown {
  return startTime;
}

function startOf({ startTime }: { readonly startTime: string }): string {
  return startTime;
}

function firstTimeOf({ measurements }: ReceivedEvent['data']): unknown {
  return (measurements as readonly { readonly deviceTime: string }[])[0]?.deviceTime;
}
