// The dialogs of one webhook: its fields, a new secret, and beginning again at an earlier time.
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { Button } from '../../parts/button';
import { Dialog, DialogActions } from '../../parts/dialog';
import { TextField } from '../../parts/field';
import { textOf } from '../../parts/form';
import { FailureNote } from '../../parts/notes';
import { texts } from '../../texts';
import { webhooksTexts } from '../../texts/webhooks';
import { SecretOnce } from './secret-once';
import { WebhookFields } from './webhook-fields';
import { inputOf, replayFrom } from './webhook-input';

const words = webhooksTexts;

interface WebhookDialogProps {
  readonly open: boolean;
  readonly webhook: Schemas['Webhook'];
  readonly etag: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function ChangeWebhook({ open, ...props }: WebhookDialogProps) {
  function close(): void {
    props.onClose();
    props.onDone();
  }
  return (
    <Dialog open={open} onClose={close} title={words.change}>
      <ChangeForm {...props} onClose={close} />
    </Dialog>
  );
}

function ChangeForm({ webhook, etag, onClose }: Omit<WebhookDialogProps, 'open' | 'onDone'>) {
  // As it was when the form was opened: the screen reads it anew behind the form, and another one's change must not be overwritten.
  const [first] = useState({ webhook, etag });
  const change = useMutation({
    mutationFn: (form: FormData) =>
      dataOf(
        api.PATCH('/v2/webhooks/{webhookId}', {
          params: { path: { webhookId: webhook.id }, header: { 'If-Match': first.etag } },
          body: inputOf(form),
        }),
      ),
    onSuccess: onClose,
  });
  return (
    <Form action={texts.common.save} isBusy={change.isPending} onClose={onClose} onSubmit={change.mutate}>
      {change.error !== null && <FailureNote title={words.changeFailed} error={change.error} />}
      <WebhookFields webhook={first.webhook} />
    </Form>
  );
}

export function ChangeSecret({ open, webhook, onClose }: WebhookDialogProps) {
  const change = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/v2/webhooks/{webhookId}/secret', { params: { path: { webhookId: webhook.id } }, body: {} })),
    gcTime: 0,
  });
  const secret = change.data?.secret;
  function close(): void {
    change.reset();
    onClose();
  }
  return (
    <Dialog open={open} onClose={secret === undefined ? close : () => undefined} title={words.changeSecret}>
      {secret === undefined ? (
        <Form action={words.changeSecret} isBusy={change.isPending} onClose={close} onSubmit={() => change.mutate()}>
          {change.error !== null && <FailureNote title={words.changeFailed} error={change.error} />}
          <p>{words.secretText}</p>
        </Form>
      ) : (
        <SecretOnce secret={secret} onStored={close} />
      )}
    </Dialog>
  );
}

interface ReplayProps extends Omit<WebhookDialogProps, 'etag' | 'onDone'> {
  /** Events from this time on, RFC 3339, are sent again. */
  readonly onReplaying: (from: string) => void;
}

export function Replay({ open, webhook, onClose, onReplaying }: ReplayProps) {
  const replay = useMutation({
    mutationFn: async (form: FormData) => {
      const after = new Date(textOf(form, 'after')).toISOString();
      const params = { path: { webhookId: webhook.id } };
      await dataOf(api.POST('/v2/webhooks/{webhookId}/replay', { params, body: { after } }));
      return after;
    },
    onSuccess(after) {
      onReplaying(after);
      close();
    },
  });
  function close(): void {
    replay.reset();
    onClose();
  }
  return (
    <Dialog open={open} onClose={close} title={words.replay} description={words.replayText}>
      <Form action={words.replayNow} isBusy={replay.isPending} onClose={close} onSubmit={replay.mutate}>
        {replay.error !== null && <FailureNote title={words.replayFailed} error={replay.error} />}
        <TextField
          label={words.replayFrom}
          hint={words.replayHint}
          name="after"
          type="datetime-local"
          defaultValue={replayFrom(webhook)}
          required
        />
      </Form>
    </Dialog>
  );
}

interface FormProps {
  readonly action: string;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onSubmit: (form: FormData) => void;
  readonly children: ReactNode;
}

function Form({ action, isBusy, onClose, onSubmit, children }: FormProps) {
  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  }
  return (
    <form className="stack" onSubmit={submit}>
      {children}
      <DialogActions>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button kind="primary" type="submit" busy={isBusy}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}
