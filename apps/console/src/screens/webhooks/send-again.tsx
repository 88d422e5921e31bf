// Sends events to a webhook once more, at once and as they were.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import { isFailure } from '../../api/problem';
import { useResponded } from '../../parts/announcer';
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
  const outcome = outcomeOf(send);
  useResponded(outcome);
  return (
    <>
      <Button size="s" busy={send.isPending} onClick={() => send.mutate()}>
        {label}
      </Button>
      {outcome !== undefined && <span className="muted"> {outcome}</span>}
    </>
  );
}

interface Sending {
  readonly data: { readonly accepted: number } | undefined;
  readonly error: unknown;
}

function outcomeOf({ data, error }: Sending): string | undefined {
  if (data !== undefined) return webhooksTexts.accepted(data.accepted);
  if (error === null) return undefined;
  return isFailure(error) ? error.message : texts.common.unexpected;
}
