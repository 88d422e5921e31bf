// Asks the charger to give something up, after a question, and says what it answers.
import { useMutation } from '@tanstack/react-query';
import { isFailure } from '../../../api/problem';
import { Button } from '../../../parts/button';
import { Dialog, DialogActions } from '../../../parts/dialog';
import { FailureNote } from '../../../parts/notes';
import { texts } from '../../../texts';
import { outcomeOfFailure, outcomeOfStatus, type Outcome } from '../commands/outcome';
import { OutcomeNote } from '../commands/outcome-note';

interface AskProps {
  readonly open: boolean;
  readonly title: string;
  readonly text: string;
  readonly action: string;
  /** The request; its answer has the charger's own status. */
  readonly send: () => Promise<{ readonly status: string }>;
  readonly onClose: () => void;
  readonly onAnswered: () => void;
}

export function AskCharger({ open, title, onClose, ...rest }: AskProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <Question onClose={onClose} {...rest} />
    </Dialog>
  );
}

function Question({ text, action, send, onClose, onAnswered }: Omit<AskProps, 'open' | 'title'>) {
  const ask = useMutation({ mutationFn: send, onSettled: onAnswered });
  const outcome = ask.data === undefined ? failureOutcome(ask.error) : outcomeOfStatus(ask.data.status);
  return (
    <div className="stack">
      <p>{text}</p>
      {outcome !== undefined && <OutcomeNote outcome={outcome} />}
      {ask.error !== null && outcome === undefined && <FailureNote title={texts.common.unexpected} error={ask.error} />}
      <DialogActions>
        <Button onClick={onClose}>{texts.common.close}</Button>
        {ask.data === undefined && (
          <Button kind="danger" busy={ask.isPending} onClick={() => ask.mutate()}>
            {action}
          </Button>
        )}
      </DialogActions>
    </div>
  );
}

function failureOutcome(error: unknown): Outcome | undefined {
  return isFailure(error) ? outcomeOfFailure(error) : undefined;
}
