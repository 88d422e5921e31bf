import { inUtc } from '@busbar/domain';
import { MAX_TRANSACTIONS, searchTransactions, type ReadSessionsDeps } from '@busbar/domain/sessions';
import { field } from '@busbar/http';
import { presentTransaction } from '../presenters/present-transaction';
import { route } from '../route';
import { recordSchema } from '../schemas/values';
import { transactionSchema, transactionSearchSchema } from '../schemas/transaction';

export const searchTransactionsRoute = (deps: ReadSessionsDeps) =>
  route({
    method: 'POST',
    path: '/statistics/transactions',
    tag: 'Statistics',
    operationId: 'searchTransactions',
    summary: 'Search transactions',
    description: [
      'At least one time criterion is required. A transaction matches all criteria; an empty list is the same as an absent one.',
      'Refused starts without charging are left out.',
      `Returns at most ${String(MAX_TRANSACTIONS)}, oldest first: by their end where only end times are given, else by their start.`,
      'To continue, search again from the time of the last one.',
    ].join(' '),
    permission: 'sessions:read',
    body: transactionSearchSchema,
    response: recordSchema('Transactions', 'The transactions.', {
      results: field({ type: 'array', items: transactionSchema }, 'The transactions.'),
    }),
    errors: ['invalid_charger_id', 'invalid_site_id'],
    async handler({ auth, body }) {
      const found = await searchTransactions(deps, auth.clientId, {
        startedFrom: inUtc(body.startTime),
        startedTo: inUtc(body.startTimeSearchEnd),
        endedFrom: inUtc(body.stopTimeSearchBegin),
        endedTo: inUtc(body.stopTime),
        chargerIds: restriction(body.chargerIDs),
        siteIds: restriction(body.groupIDs),
        idTags: restriction(body.rfidTags),
        withoutRefused: true,
      });
      return { results: found.map(presentTransaction) };
    },
  });

/** Some clients send an empty list for "all": finding nothing would be an empty bill without an error. */
function restriction<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list?.length === 0 ? undefined : list;
}
