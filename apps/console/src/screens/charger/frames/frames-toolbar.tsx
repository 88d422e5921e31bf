import { Download, Eraser, Pause, Play } from 'lucide-react';
import { useCallback } from 'react';
import { Button } from '../../../parts/button';
import { saveFile } from '../../../parts/csv';
import { SearchField } from '../../../parts/search-field';
import '../../../parts/toolbar.css';
import { framesTexts } from '../../../texts/frames';
import { useChargerSearch } from '../use-charger-search';
import { jsonLines, type Entry, type Filter } from './frame-buffer';

interface ToolbarProps {
  readonly chargerId: string;
  readonly filter: Filter;
  readonly entries: readonly Entry[];
  readonly isPaused: boolean;
  /** Undefined: what is shown does not grow. */
  readonly onPause: ((isPaused: boolean) => void) | undefined;
  readonly onClear: () => void;
}

/** Filters, which are kept in the address, and what can be done with the log in view. */
export function FramesToolbar({ chargerId, filter, entries, isPaused, onPause, onClear }: ToolbarProps) {
  const { change } = useChargerSearch();
  const { text, heartbeats, failed } = filter;
  const setText = useCallback((value: string | undefined) => change({ filter: value }), [change]);
  return (
    <div className="toolbar" role="group" aria-label={framesTexts.toolbar}>
      <SearchField label={framesTexts.filter} value={text === '' ? undefined : text} onChange={setText} />
      <Check label={framesTexts.heartbeats} value={heartbeats} onChange={(value) => change({ heartbeats: value })} />
      <Check label={framesTexts.onlyFailed} value={failed} onChange={(value) => change({ failed: value })} />
      <span className="toolbar-end">
        {onPause !== undefined && (
          <>
            <Button icon={isPaused ? <Play /> : <Pause />} aria-pressed={isPaused} onClick={() => onPause(!isPaused)}>
              {isPaused ? framesTexts.resume : framesTexts.pause}
            </Button>
            <Button icon={<Eraser />} onClick={onClear}>
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
  );
}

interface CheckProps {
  readonly label: string;
  readonly value: boolean;
  readonly onChange: (value: true | undefined) => void;
}

function Check({ label, value, onChange }: CheckProps) {
  return (
    <label className="frames-check">
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked ? true : undefined)} />
      {label}
    </label>
  );
}
