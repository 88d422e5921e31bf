// Periodic event streams of a charger of OCPP 2.1 (N11 to N15): those that are open, and their last values. A document of its own beside
// the charger's record, since each notification changes it. Written by charger-state alone. Pure.
import { isAfter, type Position } from '@busbar/contracts';
import type { Charger } from '../chargers/charger';
import type { Timestamp } from '../timestamp';
import {
  NO_ITEMS,
  withAllReported,
  withItems,
  withoutItems,
  type NumberedItem,
  type NumberedItems,
} from './numbered-items';

export interface EventStream extends NumberedItem {
  /** The monitor whose variable it sends. */
  readonly monitorId: number;
  /** Seconds after which the charger sends what it has. Null: not given. */
  readonly interval: number | null;
  /** Number of values after which the charger sends them. Null: not given. */
  readonly values: number | null;
  /** When the charger opened it, or listed it first. */
  readonly openedAt: Timestamp;
}

export interface StreamValue {
  /** The charger's time; that of receipt where it stated none that can be stored. */
  readonly at: Timestamp;
  readonly value: string;
}

interface StreamSeries {
  readonly id: number;
  /** Values of another monitor are not those of the stream. */
  readonly monitorId: number;
  /** In the order in which they came. */
  readonly values: readonly StreamValue[];
}

export interface EventStreams {
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly clientId: string;
  readonly streams: NumberedItems<EventStream>;
  /** Of those streams that have values. */
  readonly series: readonly StreamSeries[];
  /** The command with the last list of them. Null: the charger has listed none. */
  readonly commandId: string | null;
  /** The last applied message of each connection. */
  readonly applied?: readonly Position[];
  /** Grows with every write, which compares it (compare-and-set). 0: not stored yet. */
  readonly revision: number;
  /** Not stored: the incarnation whose document the first write replaces. */
  readonly replaces?: string;
}

/** A list that the charger sent. */
export interface StreamListing {
  readonly listed: readonly EventStream[];
  readonly commandId: string | null;
  readonly at: Timestamp;
  readonly position: Position;
}

export interface EventStreamsReader {
  /** The charger's event streams as far as known. */
  read(charger: Pick<Charger, 'chargerId' | 'incarnationId' | 'clientId'>): Promise<EventStreams>;
}

/** Event streams before and after folding. */
export interface EventStreamsChange {
  readonly from: EventStreams;
  readonly to: EventStreams;
}

export const MAX_EVENT_STREAMS = 32;
const MAX_VALUES = 1_000;
/** Of the values of one stream together, in UTF-8. */
const MAX_VALUE_BYTES = 65_536;
/** Of the values of all streams as they are stored: each notification reads and writes them all. */
const MAX_STORED_BYTES = 262_144;
/** A stored value without its text: its time and names. */
const BYTES_BESIDE_VALUE = 48;

/** The event streams of this incarnation. Those of another are discarded, and their document is replaced. */
export function eventStreamsOf(
  { chargerId, incarnationId, clientId }: Pick<Charger, 'chargerId' | 'incarnationId' | 'clientId'>,
  stored: EventStreams | undefined,
): EventStreams {
  if (stored?.incarnationId === incarnationId) return stored;
  const revision = stored?.revision ?? 0;
  const replaced = stored === undefined ? {} : { replaces: stored.incarnationId };
  return { chargerId, incarnationId, clientId, streams: NO_ITEMS, series: [], commandId: null, revision, ...replaced };
}

type Booted = Pick<Charger, 'reported'>;

/** Those that are open: a boot ends all from before it. */
export function openStreams({ streams }: EventStreams, { reported: { boot } }: Booted): readonly EventStream[] {
  return boot === null ? streams.items : streams.items.filter(({ position }) => !isAfter(boot.position, position));
}

/** The open stream of that number. */
export function openStream(before: EventStreams, charger: Booted, id: number): EventStream | undefined {
  return openStreams(before, charger).find((each) => each.id === id);
}

/** Whether the stream is open or may be opened: a charger has at most 32 open ones. */
export function hasRoomFor(before: EventStreams, charger: Booted, id: number): boolean {
  return openStream(before, charger, id) !== undefined || openStreams(before, charger).length < MAX_EVENT_STREAMS;
}

/** The streams with one that the charger opened or whose parameters have changed. It takes the place of that of its number. */
export function withOpenStream(before: EventStreams, charger: Booted, stream: EventStream): EventStreams {
  const open = afterBoot(before, charger);
  return withStreams(open, withItems(open.streams, [known(open, stream)], MAX_EVENT_STREAMS));
}

/** The streams without one that the charger closed. */
export function withoutStream(
  before: EventStreams,
  charger: Booted,
  { id, position }: Pick<EventStream, 'id' | 'position'>,
): EventStreams {
  const open = afterBoot(before, charger);
  return withStreams(open, withoutItems(open.streams, { ids: [id], position }));
}

/** The streams after the charger listed all that are open. */
export function withListedStreams(
  before: EventStreams,
  charger: Booted,
  { listed, position, at, commandId }: StreamListing,
): EventStreams {
  const open = afterBoot(before, charger);
  const added = listed.slice(0, MAX_EVENT_STREAMS).map((each) => known(open, each));
  const named = withItems(open.streams, added, MAX_EVENT_STREAMS);
  return { ...withStreams(open, withAllReported(named, { since: position, at })), commandId };
}

/**
 * Adds values of an open stream. The last thousand are kept, and no more than 64 KiB of them. All streams have some 256 KiB with the times
 * of their values: beyond, the oldest values of the largest stream are dropped.
 */
export function withStreamValues(
  before: EventStreams,
  { id, monitorId }: Pick<EventStream, 'id' | 'monitorId'>,
  added: readonly StreamValue[],
): EventStreams {
  const values = lastOf([...valuesOf(before, { id, monitorId }), ...added]);
  const others = before.series.filter((each) => each.id !== id);
  return { ...before, series: withinLimit([...others, { id, monitorId, values }]) };
}

/** The last values of a stream, in the order in which they came. */
export function valuesOf(
  { series }: EventStreams,
  { id, monitorId }: Pick<EventStream, 'id' | 'monitorId'>,
): readonly StreamValue[] {
  return series.find((each) => each.id === id && each.monitorId === monitorId)?.values ?? [];
}

function afterBoot(before: EventStreams, charger: Booted): EventStreams {
  return withStreams(before, { ...before.streams, items: openStreams(before, charger) });
}

/** One that is open already was opened then. */
function known({ streams }: EventStreams, stream: EventStream): EventStream {
  const open = streams.items.find(({ id, monitorId }) => id === stream.id && monitorId === stream.monitorId);
  return open === undefined ? stream : { ...stream, openedAt: open.openedAt };
}

/** Values of streams that are not open are removed. */
function withStreams(before: EventStreams, streams: NumberedItems<EventStream>): EventStreams {
  const series = before.series.filter((values) =>
    streams.items.some(({ id, monitorId }) => id === values.id && monitorId === values.monitorId),
  );
  return { ...before, streams, series };
}

function lastOf(values: readonly StreamValue[]): readonly StreamValue[] {
  const recent = values.slice(-MAX_VALUES);
  let bytes = 0;
  const tooLong = recent.findLastIndex(({ value }) => (bytes += Buffer.byteLength(value)) > MAX_VALUE_BYTES);
  return recent.slice(tooLong + 1);
}

function withinLimit(series: readonly StreamSeries[]): readonly StreamSeries[] {
  const parts = series.map((each) => ({ each, bytes: sum(each.values.map(storedBytes)), dropped: 0 }));
  let surplus = sum(parts.map(({ bytes }) => bytes)) - MAX_STORED_BYTES;
  while (surplus > 0) {
    const largest = parts.reduce((one, other) => (other.bytes > one.bytes ? other : one));
    const bytes = storedBytes(largest.each.values[largest.dropped]);
    largest.dropped += 1;
    largest.bytes -= bytes;
    surplus -= bytes;
  }
  return parts.map(({ each, dropped }) => (dropped === 0 ? each : { ...each, values: each.values.slice(dropped) }));
}

function storedBytes(stored: StreamValue | undefined): number {
  return Buffer.byteLength(stored?.value ?? '') + BYTES_BESIDE_VALUE;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
