import { Dialog } from '../../../parts/dialog';
import { numberOf } from '../../../parts/format';
import { Json } from '../../../parts/json';
import { DateTime } from '../../../parts/time';
import { framesTexts } from '../../../texts/frames';
import { tookMs, type Exchange } from './frame-buffer';
import { directionOf } from './frame-row';

interface FrameDetailProps {
  readonly exchange: Exchange | undefined;
  readonly onClose: () => void;
}

/** A request and its response in full. */
export function FrameDetail({ exchange, onClose }: FrameDetailProps) {
  const title = exchange?.messageType === '' ? framesTexts.unknown : (exchange?.messageType ?? '');
  return (
    <Dialog kind="drawer" open={exchange !== undefined} onClose={onClose} title={title}>
      {exchange !== undefined && <Pair exchange={exchange} />}
    </Dialog>
  );
}

function Pair({ exchange }: { readonly exchange: Exchange }) {
  const ms = tookMs(exchange);
  return (
    <>
      <p className="muted">
        {directionOf(exchange)} · <DateTime at={exchange.requestTimestamp} /> · <code>{exchange.messageId}</code>
      </p>
      {exchange.truncated === true && <p className="muted">{framesTexts.truncated}</p>}
      <section>
        <h3>{framesTexts.request}</h3>
        <Json value={exchange.request} />
      </section>
      <section>
        <h3>
          {framesTexts.response} {ms !== undefined && <span className="muted exchange-after">{numberOf(ms)} ms</span>}
        </h3>
        {exchange.responseTimestamp === null ? (
          <p className="muted">{framesTexts.noAnswer}</p>
        ) : (
          <Json value={exchange.response} />
        )}
      </section>
    </>
  );
}
