import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts';
import { Button } from './button';
import { Dialog, DialogActions } from './dialog';
import { TextField } from './field';
import { FailureNote } from './notes';

interface ConfirmProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly failed: string;
  readonly action: string;
  /** What must be typed first, where the loss is large. */
  readonly typed?: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly children: ReactNode;
}

/** Asks before something is lost. */
export function Confirm({ open, onClose, ...rest }: ConfirmProps) {
  return (
    <Dialog open={open} onClose={onClose} title={rest.title}>
      <Question onClose={onClose} {...rest} />
    </Dialog>
  );
}

function Question({ onClose, failed, action, typed, onConfirm, children }: Omit<ConfirmProps, 'open' | 'title'>) {
  const [text, setText] = useState('');
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate();
      }}
    >
      {confirm.isError && <FailureNote title={failed} error={confirm.error} />}
      <p>{children}</p>
      {typed !== undefined && (
        <TextField
          label={texts.common.typeToConfirm(typed)}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <DialogActions>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button kind="danger" type="submit" busy={confirm.isPending} disabled={typed !== undefined && text !== typed}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}
