// How a webhook stands, as a word with its colour.
import type { Schemas } from '../../api/client';
import { webhooksTexts } from '../../texts/webhooks';
import { isRefusing } from './webhook-input';
import './webhooks.css';

export function WebhookStatus({ webhook }: { readonly webhook: Schemas['Webhook'] }) {
  const { status, statusReason } = webhook;
  if (isRefusing(webhook)) {
    return <span className="webhook-status webhook-refusing">{webhooksTexts.refusing}</span>;
  }
  return (
    <span className={`webhook-status webhook-${status}`}>
      {webhooksTexts.statuses[status]}
      {statusReason !== null && <span className="muted"> · {webhooksTexts.reasons[statusReason]}</span>}
    </span>
  );
}
