// Periodic event streams of OCPP 2.1 (N11 to N15): what the charger opens, sends and closes, and what it answers about them.
import { isSamePosition } from '@busbar/contracts';
import type { Charger } from '@busbar/domain/chargers';
import {
  hasRoomFor,
  openStream,
  withListedStreams,
  withOpenStream,
  withoutStream,
  withStreamValues,
  type EventStream,
  type EventStreams,
  type StreamValue,
} from '@busbar/domain/device-state';
import type { HandlerContext, Needs, Report } from '../../pipeline/contract';
import { hasBootedSince } from '../shared/boots';
import { deviceTimeOf, statedMsOf } from '../shared/clock-check';
import { changeEventStreams } from '../shared/device-state';
import { storeEvent } from '../shared/store-event';
import type { CallHandler, OutcomeHandler, RequestOf } from './route';

type StreamData = RequestOf<'OpenPeriodicEventStream'>['constantStreamData'];
type Notification = RequestOf<'NotifyPeriodicEventStream'>;

/** All streams of the charger are one document. */
const prepare = (needs: Needs, { chargerId }: Charger): void => needs.eventStreams(chargerId);

/**
 * A stream that is open with these parameters is as it was. So a message that is sent again changes nothing, and a refusal is judged
 * anew: there may be room by now (rule 119).
 */
export const openPeriodicEventStream: CallHandler<'OpenPeriodicEventStream'> = {
  prepare,
  apply(charger, report, context) {
    const stream = streamOf(report.payload.constantStreamData, report, context);
    const before = context.lookups.eventStreams(charger);
    if (isOpened(streamBefore(before, charger, stream), stream)) return { charger, answer: { status: 'Accepted' } };
    storeEvent(charger, report, context);
    if (!hasRoomFor(before, charger, stream.id)) {
      return { charger, answer: { status: 'Rejected' } };
    }
    changeEventStreams(charger, context, (streams) => withOpenStream(streams, charger, stream));
    return { charger, answer: { status: 'Accepted' } };
  },
};

export const closePeriodicEventStream: CallHandler<'ClosePeriodicEventStream'> = {
  prepare,
  apply(charger, report, context) {
    storeEvent(charger, report, context);
    const closed = { id: report.payload.id, position: context.position };
    changeEventStreams(charger, context, (streams) => withoutStream(streams, charger, closed));
    return { charger };
  },
};

/** A SEND, which may come many times a second: it is no event. One of a stream that is not open is dropped and counted. */
export const notifyPeriodicEventStream: CallHandler<'NotifyPeriodicEventStream'> = {
  prepare,
  apply(charger, { payload, receivedAt }, context) {
    const stream = openStream(context.lookups.eventStreams(charger), charger, payload.id);
    if (stream === undefined) return { charger, deviations: ['unusable_send'] };
    const values = valuesIn(payload, receivedAt);
    changeEventStreams(charger, context, (streams) => withStreamValues(streams, stream, values));
    return { charger };
  },
};

export const adjustPeriodicEventStreamOutcome: OutcomeHandler<'AdjustPeriodicEventStream'> = {
  prepare,
  apply(charger, { payload: { request, status } }, context) {
    if (request === undefined || status !== 'Accepted') return { charger };
    const stream = openStream(context.lookups.eventStreams(charger), charger, request.id);
    if (stream === undefined) return { charger };
    const { interval = stream.interval, values = stream.values } = request.params;
    const adjusted = { ...stream, interval, values, position: context.position };
    changeEventStreams(charger, context, (streams) => withOpenStream(streams, charger, adjusted));
    return { charger };
  },
};

export const getPeriodicEventStreamOutcome: OutcomeHandler<'GetPeriodicEventStream'> = {
  prepare,
  apply(charger, report, context) {
    const { response } = report.payload;
    const { commandId = null, receivedAt: at } = report;
    if (response === undefined) return { charger };
    const listed = (response.constantStreamData ?? []).map((data) => streamOf(data, report, context));
    const list = { listed, commandId, at, position: context.position };
    changeEventStreams(charger, context, (streams) => withListedStreams(streams, charger, list));
    return { charger };
  },
};

/** As the message found it: where it is redelivered, the record may have a boot that came later. */
function streamBefore(before: EventStreams, charger: Charger, { id, position }: EventStream): EventStream | undefined {
  if (!hasBootedSince(charger, position)) return openStream(before, charger, id);
  return before.streams.items.find((each) => each.id === id);
}

/** By another message: one that is delivered again has the same position. */
function isOpened(open: EventStream | undefined, next: EventStream): boolean {
  const { monitorId, interval, values, position } = next;
  if (open?.monitorId !== monitorId || open.interval !== interval || open.values !== values) return false;
  return !isSamePosition(open.position, position);
}

function streamOf(
  { id, variableMonitoringId: monitorId, params }: StreamData,
  { receivedAt: openedAt }: Pick<Report<unknown>, 'receivedAt'>,
  { position }: HandlerContext,
): EventStream {
  const { interval, values } = params;
  return { id, monitorId, interval: interval ?? null, values: values ?? null, openedAt, position };
}

/** `t` is seconds after `basetime`. */
function valuesIn({ basetime, data }: Notification, receivedAt: string): readonly StreamValue[] {
  const baseMs = statedMsOf(basetime) ?? NaN;
  return data.map(({ t, v: value }) => ({ at: deviceTimeOf(Math.round(baseMs + t * 1000)) ?? receivedAt, value }));
}
