/** Answered by the gateway itself once the broker has it: the charger only reports. */
export interface ReportAction {
  readonly name: string;
  readonly from: 'charger';
  readonly kind: 'report';
  /** The CALLRESULT's payload. */
  readonly reply: (now: Date) => Readonly<Record<string, unknown>>;
}

/** Answered by charger-state, since the answer depends on what is stored. `both`: we may send it too. */
export interface DecisionAction {
  readonly name: string;
  readonly from: 'charger' | 'both';
  readonly kind: 'decision';
}

/** Ours to send; from a charger it is NotSupported. */
export interface CommandAction {
  readonly name: string;
  readonly from: 'us';
  readonly kind: 'command';
}

export type Action = ReportAction | DecisionAction | CommandAction;
