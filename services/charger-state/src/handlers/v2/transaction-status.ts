// The result of GetTransactionStatus (OCPP 2.0.1, E14): a charger that knows nothing of a transaction has lost its end.
import type { Charger } from '@busbar/domain/chargers';
import type { OngoingTransaction } from '@busbar/domain/sessions';
import { withReported } from '../../pipeline/contract';
import { checkTime } from '../shared/clock-check';
import { supersedeOngoing } from '../shared/supersede-ongoing';
import { withJoinedState } from './connector-state';
import type { OutcomeHandler, RequestOf } from './route';

/** Supersedes the session where its transaction is not in progress at the charger and no message of it waits there (rule 146). */
export const transactionStatusOutcome: OutcomeHandler<'GetTransactionStatus'> = {
  prepare(needs, charger, { payload: { request } }) {
    const transactionId = ongoingOf(charger, request)?.[1].transactionId;
    if (transactionId !== undefined) needs.transaction(transactionId);
  },
  apply(charger, report, context) {
    const { request, response } = report.payload;
    const found = ongoingOf(charger, request);
    const isLost = response?.ongoingIndicator === false && !response.messagesInQueue;
    if (found === undefined || !isLost) return { charger };
    const [key, ongoing] = found;
    supersedeOngoing(ongoing, context);
    const { [key]: superseded, ...left } = charger.reported.ongoing;
    const without = withReported(charger, { ongoing: left });
    if (ongoing.socketId === 0) return { charger: without };
    const time = checkTime(undefined, report.receivedAt);
    const change = { report, time, content: superseded?.sessionId, endedAt: report.receivedAt };
    return { charger: withJoinedState(without, ongoing.socketId, change, context) };
  },
};

function ongoingOf(
  { reported }: Charger,
  request: RequestOf<'GetTransactionStatus'> | undefined,
): readonly [key: string, ongoing: OngoingTransaction] | undefined {
  const id = request?.transactionId;
  return id === undefined ? undefined : Object.entries(reported.ongoing).find(([, { device }]) => device?.id === id);
}
