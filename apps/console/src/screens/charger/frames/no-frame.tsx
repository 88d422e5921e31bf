import { Button } from '../../../parts/button';
import { Empty, NothingFound } from '../../../parts/notes';
import { DateTime } from '../../../parts/time';
import { framesTexts } from '../../../texts/frames';
import type { Filter } from './frame-buffer';
import type { Frames } from './use-frames';

interface NoFrameProps {
  readonly filter: Filter;
  readonly until: string | undefined;
  readonly frames: Frames;
  readonly onClear: () => void;
}

/** In place of the log: that the view was cleared, that there is no frame, or that none matches. */
export function NoFrame({ filter: { text, heartbeats, failed }, until, frames, onClear }: NoFrameProps) {
  const isFiltered = text !== '' || failed;
  if (frames.isCleared && !isFiltered) {
    return (
      <Empty title={framesTexts.cleared}>
        <p>{framesTexts.clearedText}</p>
      </Empty>
    );
  }
  const notes = (
    <>
      {!heartbeats && <p>{framesTexts.noHeartbeats}</p>}
      {until === undefined && <p>{framesTexts.emptyText}</p>}
      {frames.hasOlder && frames.readTo !== undefined && (
        <p>
          {framesTexts.searchedBackTo} <DateTime at={frames.readTo} />.{' '}
          <Button size="s" onClick={() => frames.loadOlder()}>
            {framesTexts.older}
          </Button>
        </p>
      )}
    </>
  );
  if (!isFiltered) {
    return <Empty title={until === undefined ? framesTexts.empty : framesTexts.emptyThen}>{notes}</Empty>;
  }
  const filters = [text !== '' && `“${text}”`, failed && framesTexts.onlyFailed];
  return (
    <NothingFound title={framesTexts.nothing} filters={filters} onClear={onClear}>
      {notes}
    </NothingFound>
  );
}
