// Sends a test event to a webhook, and shows what its receiver answered.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import { useResponded } from '../../parts/announcer';
import { Button } from '../../parts/button';
import { FailureNote } from '../../parts/notes';
import { webhooksTexts as words } from '../../texts/webhooks';

export function useTest(webhookId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => dataOf(api.POST('/v2/webhooks/{webhookId}/test', { params: { path: { webhookId } }, body: {} })),
    onSettled: () => client.invalidateQueries({ queryKey: ['webhook', webhookId] }),
  });
}

interface TestProps {
  readonly test: ReturnType<typeof useTest>;
}

export function TestButton({ test }: TestProps) {
  return (
    <Button kind="primary" busy={test.isPending} onClick={() => test.mutate()}>
      {words.test}
    </Button>
  );
}

export function TestOutcome({ test: { error, data } }: TestProps) {
  if (error !== null) return <FailureNote title={words.testFailed} error={error} />;
  return data === undefined ? null : <Result result={data} />;
}

function Result({ result }: { readonly result: Schemas['WebhookTest'] }) {
  const { outcome, httpStatus, tookMs, error, responseBody } = result;
  const sentence = words.tested(words.outcomes[outcome], httpStatus, error, tookMs);
  useResponded(sentence);
  return (
    <div>
      <strong>{sentence}</strong>
      {responseBody !== '' && (
        <p className="muted">
          <code>{responseBody}</code>
        </p>
      )}
    </div>
  );
}
