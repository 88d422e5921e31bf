interface ChargerAction {
  readonly name: string;
  /** Part of a charging transaction: a charger queues and retries it, since it must not be lost. */
  readonly isTransactional: boolean;
  /** Names a driver's tag, which a remote start in flight may authorize. */
  readonly namesTag: boolean;
}

type Payload = Readonly<Record<string, unknown>>;

/** A charger reports: the gateway answers once the broker has confirmed the report. */
export interface ReportAction extends ChargerAction {
  readonly from: 'charger';
  readonly kind: 'report';
  /** The CALLRESULT's payload. It may depend on the report's payload (rule 127). */
  readonly reply: (now: Date, payload: Payload) => Payload;
}

/** charger-state answers, since the answer depends on stored data. `both`: we may send it too. */
export interface DecisionAction extends ChargerAction {
  readonly from: 'charger' | 'both';
  readonly kind: 'decision';
}

/** A report or a decision, by its payload. */
export interface VariableAction extends ChargerAction {
  readonly from: 'charger';
  readonly kind: 'variable';
  readonly of: (payload: Payload) => ReportAction | DecisionAction;
}

/** A SEND: a report without an answer. As a CALL it is NotSupported. */
export interface SendAction extends ChargerAction {
  readonly from: 'charger';
  readonly kind: 'send';
}

/** Only we send it; from a charger it is NotSupported. */
export interface CommandAction {
  readonly name: string;
  readonly from: 'us';
  readonly kind: 'command';
}

export type Action = ReportAction | DecisionAction | VariableAction | SendAction | CommandAction;
