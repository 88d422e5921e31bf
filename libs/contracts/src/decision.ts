/** charger-state's answer to one decision, sent after the store has it. */
export interface DecisionAnswer {
  /** The envelope's id. */
  readonly id: string;
  readonly chargerId: string;
  /** The payload of the CALLRESULT. Absent where the handler failed: the gateway then answers InternalError. */
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly failed?: boolean;
}

/** The answers of one batch for one gateway. */
export interface DecisionAnswers {
  readonly answers: readonly DecisionAnswer[];
}
