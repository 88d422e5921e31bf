import { ArrowLeft, ArrowRight } from 'lucide-react';
import { memo } from 'react';
import { numberOf } from '../../../parts/format';
import { visibleOf } from '../../../parts/json';
import { DayClock } from '../../../parts/time';
import { framesTexts } from '../../../texts/frames';
import { isError, isFailed, statusOf, tookMs, type Entry, type Exchange } from './frame-buffer';

/** A row shows the beginning of a frame. */
const MAX_SUMMARY = 240;

interface FrameRowProps {
  readonly entry: Entry;
  /** As `DayClock` takes it. */
  readonly today: string;
  /** Whether the reader came for it. */
  readonly isMarked: boolean;
  readonly onOpen: (exchange: Exchange) => void;
}

/** A request and its response as one row; opens both in full. */
export const FrameRow = memo(function FrameRow({ entry, today, isMarked, onOpen }: FrameRowProps) {
  if (entry.kind === 'skipped') return <p className="exchange exchange-skipped">{framesTexts.skipped(entry.count)}</p>;
  const { exchange } = entry;
  const isOurs = exchange.source === 'service';
  const ms = tookMs(exchange);
  const status = statusOf(exchange);
  const className = `exchange${isFailed(exchange) ? ' exchange-failed' : ''}${isMarked ? ' exchange-marked' : ''}`;
  return (
    <button type="button" className={className} aria-current={isMarked || undefined} onClick={() => onOpen(exchange)}>
      <span className="exchange-time mono">
        <DayClock at={exchange.requestTimestamp} today={today} />
      </span>
      <span className={isOurs ? 'exchange-arrow exchange-ours' : 'exchange-arrow'} title={directionOf(exchange)}>
        {isOurs ? <ArrowRight aria-hidden /> : <ArrowLeft aria-hidden />}
        <span className="hidden-text">{directionOf(exchange)}</span>
      </span>
      <span className="exchange-action">
        <span className="cut">{exchange.messageType || framesTexts.unknown}</span>
        {status !== undefined && <span className="cut exchange-status">{framesTexts.answers(status)}</span>}
      </span>
      <span className="exchange-summary mono cut">{summaryOf(exchange)}</span>
      <span className="exchange-took">{ms === undefined ? framesTexts.noAnswer : `${numberOf(ms)} ms`}</span>
    </button>
  );
});

export function directionOf({ source }: Exchange): string {
  return source === 'service' ? framesTexts.toCharger : framesTexts.fromCharger;
}

function summaryOf(exchange: Exchange): string {
  const shown = isError(exchange) ? exchange.response : exchange.request;
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
  return visibleOf(text.slice(0, MAX_SUMMARY));
}
