// What a screen shows where it has nothing else to show: a failure, emptiness, that it is loading.
import { CircleAlert, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { isFailure } from '../api/problem';
import { texts } from '../texts';
import { Button } from './button';
import './notes.css';

interface FailureNoteProps {
  /** What could not be done, such as "The list could not be read". */
  readonly title: string;
  readonly error: unknown;
  /** Whether it is the whole screen, so that its title is that of the page. */
  readonly isWhole?: boolean;
  readonly onRetry?: (() => void) | undefined;
}

/** What failed, why, the id of the request for the operator's log, and a way to try again. */
export function FailureNote({ title, error, isWhole = false, onRetry }: FailureNoteProps) {
  const failure = isFailure(error) ? error : undefined;
  return (
    <div className="failure" role="alert">
      <CircleAlert aria-hidden />
      <div className="failure-text">
        {isWhole ? <h1>{title}</h1> : <strong>{title}</strong>}
        <p>{failure?.message ?? texts.common.unexpected}</p>
        {failure?.requestId !== undefined && (
          <p className="failure-id">
            {texts.common.requestId} <code>{failure.requestId}</code>
          </p>
        )}
      </div>
      {onRetry !== undefined && (
        <Button size="s" icon={<RotateCw />} onClick={onRetry}>
          {texts.common.tryAgain}
        </Button>
      )}
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  /** Whether it is the whole screen, so that its title is that of the page. */
  readonly isWhole?: boolean;
  readonly children?: ReactNode;
}

/** No data at all, with what to do about it. */
export function Empty({ title, isWhole = false, children }: EmptyProps) {
  return (
    <div className="empty">
      {isWhole ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  );
}

interface NothingFoundProps {
  readonly title: string;
  /** The filters in words; texts that are false do not apply. */
  readonly filters: readonly (string | false)[];
  readonly onClear: () => void;
  readonly children?: ReactNode;
}

/** Nothing matches: names the filters, and clears them with one button. */
export function NothingFound({ title, filters, onClear, children }: NothingFoundProps) {
  const named = filters.filter((filter) => filter !== false).join(', ');
  return (
    <Empty title={title}>
      <p>{texts.common.nothingFoundFor(named)}</p>
      {children}
      <Button onClick={onClear}>{texts.common.clearFilters}</Button>
    </Empty>
  );
}

/** A grey bar where a text will be. */
export function Skeleton({ width = '100%' }: { readonly width?: string }) {
  return <span className="skeleton" style={{ width }} />;
}
