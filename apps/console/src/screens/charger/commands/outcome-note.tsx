// What the end of a command means, shown and read aloud.
import type { ReactNode } from 'react';
import { useResponded } from '../../../parts/announcer';
import './commands.css';
import type { Outcome } from './outcome';

interface OutcomeNoteProps {
  readonly outcome: Outcome;
  /** Shown below, and not read aloud. */
  readonly children?: ReactNode;
}

export function OutcomeNote({ outcome: { tone, title, sentence }, children }: OutcomeNoteProps) {
  useResponded(`${title}. ${sentence}`);
  return (
    <div className={`outcome tone-${tone}`}>
      <h3>{title}</h3>
      <p>{sentence}</p>
      {children}
    </div>
  );
}
