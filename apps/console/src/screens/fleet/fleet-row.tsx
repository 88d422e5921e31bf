import { memo, type CSSProperties } from 'react';
import { ocppVersionOf } from '../../parts/format';
import { SocketMark, StateLabel } from '../../parts/state-mark';
import { Ago, Since } from '../../parts/time';
import { useMedia } from '../../parts/use-media';
import { texts } from '../../texts';
import type { Row } from './fleet-pages';
import { chargerHref } from './row-links';

/** As in fleet.css. */
const WIDE = '(width >= 720px)';
const WIDE_HEIGHT = 56;
const NARROW_HEIGHT = 76;
const MAX_MARKS = 8;

export function useRowHeight(): number {
  return useMedia(WIDE) ? WIDE_HEIGHT : NARROW_HEIGHT;
}

interface FleetRowProps {
  readonly row: Row;
  readonly index: number;
  readonly isDeleted: boolean;
  /** Its place in the list, in pixels: numbers, so that a row is drawn anew only where it changed. */
  readonly top: number;
  readonly height: number;
}

export const FleetRow = memo(function FleetRow({ row, index, isDeleted, top, height }: FleetRowProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={isDeleted ? 'row row-deleted' : 'row'}
      style={placeOf(top, height)}
      data-charger={row.chargerId}
    >
      <span role="cell" className="cell cell-charger">
        <a href={chargerHref(row.chargerId)} className="row-link cut">
          {row.name}
        </a>
        <span className="row-second mono cut">{row.chargerId}</span>
      </span>
      <span role="cell" className="cell cell-state">
        {isDeleted ? (
          <span className="state-label tone-idle">{texts.fleet.deleted}</span>
        ) : (
          <StateLabel state={row.state} />
        )}
      </span>
      <span role="cell" className="cell cell-sockets">
        <Sockets row={row} />
      </span>
      <span role="cell" className="cell cell-site cut" title={row.siteName}>
        {row.siteName}
      </span>
      <span role="cell" className="cell cell-connection">
        <Connection row={row} />
      </span>
      <span role="cell" className="cell cell-model">
        <span className="cut">
          {[row.manufacturer, row.model].filter((part) => part !== '').join(' ') || texts.common.none}
        </span>
        <span className="row-second cut">{row.firmware}</span>
      </span>
    </div>
  );
});

function Sockets({ row: { sockets } }: { readonly row: Row }) {
  if (sockets.length === 0) return <span className="muted">{texts.common.none}</span>;
  return (
    <>
      {sockets.slice(0, MAX_MARKS).map(({ id, status, errorCode }) => (
        <SocketMark key={id} id={id} state={status} error={errorCode === 'NoError' ? '' : errorCode} />
      ))}
      {sockets.length > MAX_MARKS && <span className="muted">+{sockets.length - MAX_MARKS}</span>}
    </>
  );
}

function Connection({ row: { activeConnection, connectedSince, lastSeen, ocppVersion } }: { readonly row: Row }) {
  if (activeConnection && connectedSince !== null) {
    return (
      <>
        <span className="cut">
          {texts.fleet.connectedFor} <Since at={connectedSince} />
        </span>
        <span className="row-second cut">{ocppVersionOf(ocppVersion)}</span>
      </>
    );
  }
  if (lastSeen === null) {
    // It may have connected and sent nothing.
    const never = ocppVersion === null ? texts.fleet.neverConnected : texts.charger.notConnected;
    return <span className="muted cut">{never}</span>;
  }
  return (
    <>
      <span className="cut">
        {texts.fleet.lastSeen} <Ago at={lastSeen} />
      </span>
      <span className="row-second cut">{ocppVersionOf(ocppVersion)}</span>
    </>
  );
}

function placeOf(top: number, height: number): CSSProperties {
  return { transform: `translateY(${String(top)}px)`, height };
}
