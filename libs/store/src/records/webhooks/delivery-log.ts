// The log of delivery attempts: written in bulk, listed newest first, deleted by age (retention-store.ts).
import { firstIdAt } from '@busbar/core';
import type { Records, Timestamp } from '@busbar/domain';
import type { DeliveryAttempt, DeliveryFilter } from '@busbar/domain/webhooks';
import { and, eq, gte, lt, type Filter, type Store } from '../../port';
import { collections, type AttemptDocument } from '../collections';
import { createListPage } from '../lists/list-page';
import { omitKeys } from '../omit-keys';

export function deliveryLogRecords(store: Store): Records['deliveryLog'] {
  const attempts = store.collection(collections.deliveryLog);
  const attemptPage = createListPage(attempts);
  return {
    async append(rows) {
      if (rows.length > 0) await attempts.bulk(rows.map((row) => ({ insert: documentOf(row) })));
    },
    async list(webhookId, filter, page) {
      const found = await attemptPage(filterOf(webhookId, filter), { ...page, sortKey: '_id' }, '_id');
      return { ...found, items: found.items.map(attemptOf) };
    },
  };
}

/** Ids begin with the time, so that a time is a range of ids and needs no index. */
function filterOf(webhookId: string, { outcome, eventId, chargerId, from, to }: DeliveryFilter): Filter {
  const failures =
    outcome === undefined || outcome === 'delivered' ? [] : [eq('failure', failureOf(webhookId, outcome))];
  return and(
    eq('webhookId', webhookId),
    ...failures,
    ...(outcome === 'delivered' ? [eq('outcome', outcome)] : []),
    ...(eventId === undefined ? [] : [eq('eventId', eventId)]),
    ...(chargerId === undefined ? [] : [eq('chargerId', chargerId)]),
    ...(from === undefined ? [] : [gte('_id', firstIdAt(Date.parse(from)))]),
    ...(to === undefined ? [] : [lt('_id', firstIdAfter(to))]),
  );
}

function firstIdAfter(at: Timestamp): string {
  return firstIdAt(Date.parse(at) + 1);
}

function documentOf(attempt: DeliveryAttempt): AttemptDocument {
  const { outcome, webhookId } = attempt;
  const failure = outcome === 'delivered' ? {} : { failure: failureOf(webhookId, outcome) };
  return { _id: attempt.id, ...attempt, ...failure };
}

function attemptOf(document: AttemptDocument): DeliveryAttempt {
  return omitKeys(document, '_id', 'failure');
}

/** Indexed for the few attempts that have it: among many deliveries failures are found without reading those. */
function failureOf(webhookId: string, outcome: string): string {
  return `${webhookId}/${outcome}`;
}
