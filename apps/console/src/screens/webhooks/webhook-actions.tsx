// What can be done with a webhook: test, change, its secret, begin again at an earlier time, disable, enable, delete.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { useResponded } from '../../parts/announcer';
import { Button } from '../../parts/button';
import { Confirm } from '../../parts/confirm';
import { exactTimeOf } from '../../parts/format';
import { FailureNote } from '../../parts/notes';
import { DateTime } from '../../parts/time';
import { webhooksTexts } from '../../texts/webhooks';
import { TestButton, TestOutcome, useTest } from './test-button';
import { ChangeSecret, ChangeWebhook, Replay, SendWaiting } from './webhook-dialogs';
import { isRefusing, replayOfWaiting } from './webhook-input';

const words = webhooksTexts;
type Open = 'change' | 'secret' | 'replay' | 'waiting' | 'delete';

interface ActionsProps {
  readonly webhook: Schemas['Webhook'];
  readonly etag: string;
}

export function WebhookActions({ webhook, etag }: ActionsProps) {
  const { id, enabled } = webhook;
  const path = { webhookId: id };
  const client = useQueryClient();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>();
  const [replayedFrom, setReplayedFrom] = useState<string>();
  const readAnew = () => client.invalidateQueries({ queryKey: ['webhook', id] });
  const test = useTest(id);
  useResponded(replayedFrom === undefined ? undefined : `${words.replaying} ${exactTimeOf(replayedFrom)}`);
  const enable = useMutation({
    mutationFn: () => dataOf(api.PATCH('/v2/webhooks/{webhookId}', { params: { path }, body: { enabled: !enabled } })),
    onSettled: readAnew,
  });
  async function remove(): Promise<void> {
    await dataOf(api.DELETE('/v2/webhooks/{webhookId}', { params: { path } }));
    await client.invalidateQueries({ queryKey: ['webhooks'] });
    await navigate({ to: '/webhooks' });
  }
  function replaying(from: string): void {
    setReplayedFrom(from);
    void readAnew();
  }
  const dialog = { webhook, etag, onClose: () => setOpen(undefined), onDone: () => void readAnew() };
  return (
    <>
      {isRefusing(webhook) && (
        <div className="webhook-note">
          <p>{words.refusingNote}</p>
          <Button size="s" onClick={() => setOpen(replayOfWaiting(webhook) === undefined ? 'replay' : 'waiting')}>
            {words.sendWaiting}
          </Button>
        </div>
      )}
      <div className="webhook-actions">
        {enabled && (
          <>
            <TestButton test={test} />
            <Button onClick={() => setOpen('replay')}>{words.replay}</Button>
          </>
        )}
        <Button onClick={() => setOpen('change')}>{words.change}</Button>
        <Button onClick={() => setOpen('secret')}>{words.changeSecret}</Button>
        <Button busy={enable.isPending} onClick={() => enable.mutate()}>
          {enabled ? words.disable : words.enable}
        </Button>
        <Button kind="danger" onClick={() => setOpen('delete')}>
          {words.remove}
        </Button>
      </div>
      {enable.error !== null && <FailureNote title={words.changeFailed} error={enable.error} />}
      <TestOutcome test={test} />
      {replayedFrom !== undefined && (
        <strong>
          {words.replaying} <DateTime at={replayedFrom} isExact />
        </strong>
      )}
      <ChangeWebhook open={open === 'change'} {...dialog} />
      <ChangeSecret open={open === 'secret'} {...dialog} />
      <Replay open={open === 'replay'} webhook={webhook} onClose={dialog.onClose} onReplaying={replaying} />
      <SendWaiting open={open === 'waiting'} webhook={webhook} onClose={dialog.onClose} onReplaying={replaying} />
      <Confirm
        open={open === 'delete'}
        onClose={dialog.onClose}
        title={words.removeTitle}
        failed={words.removeFailed}
        action={words.remove}
        onConfirm={remove}
      >
        {words.removeText}
      </Confirm>
    </>
  );
}
