// The dialogs of one webhook: its fields, a new secret, beginning again at an earlier time, and sending what waits.
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { Button } from '../../parts/button';
import { Dialog, DialogActions } from '../../parts/dialog';
import { TextField } from '../../parts/field';
import { textOf } from '../../parts/form';
import { FailureNote } from '../../parts/notes';
import { DateTime } from '../../parts/time';
import { localOf } from '../../records/record-fields';
import { texts } from '../../texts';
import { webhooksTexts } from '../../texts/webhooks';
import { SecretOnce } from './secret-once';
import { WebhookFields } from './webhook-fields';
import { inputOf, momentOf, replayFrom, replayOfWaiting } from './webhook-input';

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

export function Replay({ open, ...props }: ReplayProps) {
  return (
    <Dialog open={open} onClose={props.onClose} title={words.replay} description={words.replayText}>
      <ReplayForm {...props} />
    </Dialog>
  );
}

function ReplayForm({ webhook, onClose, onReplaying }: Omit<ReplayProps, 'open'>) {
  // What the field shows: the screen reads the webhook anew behind the form.
  const [from] = useState(replayFrom(webhook));
  const replay = useMutation({
    mutationFn: (form: FormData) => sendReplay(webhook, { after: momentOf(textOf(form, 'after'), from) }),
    onSuccess(after) {
      onReplaying(after);
      onClose();
    },
  });
  return (
    <Form action={words.replayNow} isBusy={replay.isPending} onClose={onClose} onSubmit={replay.mutate}>
      {replay.error !== null && <FailureNote title={words.replayFailed} error={replay.error} />}
      <TextField
        label={words.replayFrom}
        hint={words.replayHint}
        name="after"
        type="datetime-local"
        defaultValue={from === null ? '' : localOf(from)}
        required
      />
    </Form>
  );
}

/** Sends what waits and nothing else; where that is unknown, the reader says from when on. */
export function SendWaiting({ open, ...props }: ReplayProps) {
  return (
    <Dialog open={open} onClose={props.onClose} title={words.sendWaiting}>
      <SendWaitingForm {...props} />
    </Dialog>
  );
}

function SendWaitingForm({ webhook, onClose, onReplaying }: Omit<ReplayProps, 'open'>) {
  const replay = replayOfWaiting(webhook);
  const send = useMutation({
    mutationFn: (body: Replaying) => sendReplay(webhook, body),
    onSuccess(after) {
      onReplaying(after);
      onClose();
    },
  });
  if (replay === undefined) return <p>{words.nothingWaits}</p>;
  return (
    <Form
      action={words.sendCount(webhook.waiting)}
      isBusy={send.isPending}
      onClose={onClose}
      onSubmit={() => send.mutate(replay)}
    >
      {send.error !== null && <FailureNote title={words.replayFailed} error={send.error} />}
      <p>
        {words.waitSince(webhook.waiting)} <DateTime at={replay.after} isExact />. {words.sendWaitingText}
      </p>
    </Form>
  );
}

interface Replaying {
  readonly after: string;
  readonly to?: string;
}

/** Resolves with the time that it begins at. */
async function sendReplay({ id }: Schemas['Webhook'], body: Replaying): Promise<string> {
  await dataOf(api.POST('/v2/webhooks/{webhookId}/replay', { params: { path: { webhookId: id } }, body }));
  return body.after;
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
