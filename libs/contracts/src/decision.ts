import { flag, list, object, record, text, type ValueOf } from './schema';

const decisionAnswer = record(
  {
    /** The envelope's id. */
    id: text,
    chargerId: text,
  },
  {
    /** The payload of the CALLRESULT. Absent where the handler failed: the gateway then answers InternalError. */
    payload: object,
    failed: flag,
  },
);

/** charger-state's answer to one decision, sent after the store has it. */
export type DecisionAnswer = ValueOf<typeof decisionAnswer>;

/** The answers of one batch for one gateway. */
export const decisionAnswers = record({ answers: list(decisionAnswer) });
