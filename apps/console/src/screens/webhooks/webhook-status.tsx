// How a webhook stands, as a word with its colour.
import type { Schemas } from '../../api/client';
import { webhooksTexts } from '../../texts/webhooks';
import './webhooks.css';

export function WebhookStatus({ webhook }: { readonly webhook: Pick<Schemas['Webhook'], 'status' | 'statusReason'> }) {
  const { status, statusReason } = webhook;
  return (
    <span className={`webhook-status webhook-${status}`}>
      {webhooksTexts.statuses[status]}
      {statusReason !== null && <span className="muted"> · {webhooksTexts.reasons[statusReason]}</span>}
    </span>
  );
}
