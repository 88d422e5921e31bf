import type { Broker } from '@busbar/broker';
import { channels, type DecisionAnswer } from '@busbar/contracts';
import type { Applied } from './contract';

/**
 * Sends the answers of a batch's decisions, one message a gateway. The gateway ignores those that nobody waits for any
 * more.
 */
export function sendAnswers(broker: Pick<Broker, 'post'>, applied: readonly Applied[]): void {
  const byAddress = new Map<string, DecisionAnswer[]>();
  for (const { report, answer } of applied) {
    if (report.kind !== 'decision' || report.replyTo === undefined) continue;
    const entry: DecisionAnswer = {
      id: report.id,
      chargerId: report.chargerId,
      ...(answer === undefined ? { failed: true } : { payload: answer }),
    };
    const list = byAddress.get(report.replyTo);
    if (list) list.push(entry);
    else byAddress.set(report.replyTo, [entry]);
  }
  for (const [address, answers] of byAddress) broker.post(channels.decisionAnswers, address, { answers });
}
