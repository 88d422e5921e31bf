// Creates a webhook. Its secret is shown once, until the reader says that it is stored.
import { useMutation } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { Button } from '../../parts/button';
import { Dialog, DialogActions } from '../../parts/dialog';
import { FailureNote } from '../../parts/notes';
import { texts } from '../../texts';
import { webhooksTexts } from '../../texts/webhooks';
import { SecretOnce } from './secret-once';
import { WebhookFields } from './webhook-fields';
import { inputOf } from './webhook-input';

interface NewWebhookProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

export function NewWebhook({ open, onClose, onCreated }: NewWebhookProps) {
  const create = useMutation({
    mutationFn: (body: Schemas['WebhookInput']) => dataOf(api.POST('/v2/webhooks', { body })),
    onSuccess: onCreated,
    // The secret stays nowhere once the dialog is closed.
    gcTime: 0,
  });
  const secret = create.data?.secret;
  function close(): void {
    create.reset();
    onClose();
  }
  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    create.mutate(inputOf(new FormData(event.currentTarget)));
  }
  // A secret that was not stored is lost: only the button closes the dialog then.
  return (
    <Dialog open={open} onClose={secret === undefined ? close : () => undefined} title={webhooksTexts.create}>
      {secret === undefined ? (
        <form className="stack" onSubmit={submit}>
          {create.error !== null && <FailureNote title={webhooksTexts.createFailed} error={create.error} />}
          <WebhookFields />
          <DialogActions>
            <Button onClick={close}>{texts.common.cancel}</Button>
            <Button kind="primary" type="submit" busy={create.isPending}>
              {webhooksTexts.createNow}
            </Button>
          </DialogActions>
        </form>
      ) : (
        <SecretOnce secret={secret} onStored={close} />
      )}
    </Dialog>
  );
}
