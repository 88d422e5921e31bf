// Sends events to a webhook once more, at once and as they were.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import { isFailure } from '../../api/problem';
import { Button } from '../../parts/button';
import { texts } from '../../texts';
import { webhooksTexts } from '../../texts/webhooks';

interface SendAgainProps {
  readonly webhookId: string;
  readonly eventIds: string[];
  readonly label: string;
}

export function SendAgain({ webhookId, eventIds, label }: SendAgainProps) {
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/v2/webhooks/{webhookId}/redeliver', { params: { path: { webhookId } }, body: { eventIds } })),
    onSettled: () => client.invalidateQueries({ queryKey: ['webhook', webhookId] }),
  });
  return (
    <>
      <Button size="s" busy={send.isPending} onClick={() => send.mutate()}>
        {label}
      </Button>
      <span role="status" className="muted">
        {send.isSuccess && ` ${webhooksTexts.accepted(send.data.accepted)}`}
        {send.isError && ` ${isFailure(send.error) ? send.error.message : texts.common.unexpected}`}
      </span>
    </>
  );
}
