// Makes the rows of the tables of OCPP 2.x actions: who sends each, and who answers a charger's.
import type { Action, DecisionAction, ReportAction, SendAction } from '../action';
import type { V2Action, V2Requests, V2Responses } from './payloads';

type Reply<A extends V2Action> = (now: Date, payload: V2Requests[A]) => V2Responses[A];
interface Traits {
  readonly isTransactional?: true;
  readonly namesTag?: true;
}

const NO_TRAITS = { isTransactional: false, namesTag: false };

/** The gateway answers, with an empty payload unless there is a reply. */
export function report<A extends V2Action>(name: A, reply?: Reply<A>, traits: Traits = {}): ReportAction {
  // The gateway has validated the payload, so it is of the action's type.
  const answer = (reply ?? (() => ({}))) as ReportAction['reply'];
  return { ...NO_TRAITS, ...traits, name, from: 'charger', kind: 'report', reply: answer };
}

export function decision(name: V2Action, traits: Traits = {}): DecisionAction {
  return { ...NO_TRAITS, ...traits, name, from: 'charger', kind: 'decision' };
}

/** charger-state answers where the payload has `field`, else the gateway. */
export function decisionWith<A extends V2Action>(
  field: keyof V2Requests[A] & string,
  name: A,
  traits: Traits = {},
): Action {
  const forms = { with: decision(name, traits), without: report(name, undefined, traits) };
  const of = (payload: Readonly<Record<string, unknown>>) =>
    payload[field] === undefined ? forms.without : forms.with;
  return { ...NO_TRAITS, ...traits, name, from: 'charger', kind: 'variable', of };
}

export function send(name: V2Action): SendAction {
  return { ...NO_TRAITS, name, from: 'charger', kind: 'send' };
}

export function command(name: V2Action): Action {
  return { name, from: 'us', kind: 'command' };
}

export function both(name: V2Action): DecisionAction {
  return { ...NO_TRAITS, name, from: 'both', kind: 'decision' };
}

export function tableOf(rows: readonly Action[]): ReadonlyMap<string, Action> {
  return new Map(rows.map((action) => [action.name, action]));
}
