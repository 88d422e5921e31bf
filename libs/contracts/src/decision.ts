/** charger-state's answer to one decision, sent after the store has it. */
export interface DecisionAnswer {
  /** The envelope's id. */
  readonly id: string;
  readonly chargerId: string;
  /** The CALLRESULT's payload, or, where the handler failed, nothing: the gateway then answers InternalError. */
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly failed?: boolean;
}

/** The answers that one batch gave for one gateway. */
export interface DecisionAnswers {
  readonly answers: readonly DecisionAnswer[];
}
