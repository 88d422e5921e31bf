// How a webhook stands, as a word with its colour.
import type { Schemas } from '../../api/client';
import { texts } from '../../texts';
import './webhooks.css';

export function WebhookStatus({ webhook }: { readonly webhook: Pick<Schemas['Webhook'], 'status' | 'statusReason'> }) {
  const { status, statusReason } = webhook;
  return (
    <span className={`webhook-status webhook-${status}`}>
      {texts.webhooks.statuses[status]}
      {statusReason !== null && <span className="muted"> · {texts.webhooks.reasons[statusReason]}</span>}
    </span>
  );
}
