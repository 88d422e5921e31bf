import { toTimestamp } from '@busbar/domain';
import { MAX_TRANSACTIONS, searchTransactions, type ReadSessionsDeps } from '@busbar/domain/sessions';
import { presentTransaction } from '../presenters/present-transaction';
import { route } from '../route';
import { transactionSchema, transactionSearchSchema } from '../schemas/transaction';

export const searchTransactionsRoute = (deps: ReadSessionsDeps) =>
  route({
    method: 'POST',
    path: '/statistics/transactions',
    tag: 'Statistics',
    summary: 'Search for transactions',
    description: [
      'At least one criterion of time is needed; all criteria narrow together. A list that is empty is as one that is absent:',
      'it narrows nothing.',
      'Starts that were refused, and that their charger did not charge with, are left out.',
      `At most ${String(MAX_TRANSACTIONS)}, oldest first (by their end where only the end is asked for):`,
      "search again from the last one's time to go on.",
    ].join(' '),
    permission: 'sessions:read',
    body: transactionSearchSchema,
    response: {
      title: 'Transactions',
      type: 'object',
      properties: { results: { type: 'array', items: transactionSchema } },
      required: ['results'],
      additionalProperties: false,
    },
    errors: ['invalid_charger_id', 'invalid_site_id'],
    async handler({ auth, body }) {
      const found = await searchTransactions(deps, auth.clientId, {
        startedFrom: timestampOf(body.startTime),
        startedTo: timestampOf(body.startTimeSearchEnd),
        endedFrom: timestampOf(body.stopTimeSearchBegin),
        endedTo: timestampOf(body.stopTime),
        chargerIds: restriction(body.chargerIDs),
        siteIds: restriction(body.groupIDs),
        idTags: restriction(body.rfidTags),
        withoutRefused: true,
      });
      return { results: found.map(presentTransaction) };
    },
  });

function timestampOf(text: string | undefined) {
  return text === undefined ? undefined : toTimestamp(new Date(text));
}

/** Clients that always write their lists send the empty one for "all": to find nothing would be an empty bill, and no error. */
function restriction<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list?.length === 0 ? undefined : list;
}
