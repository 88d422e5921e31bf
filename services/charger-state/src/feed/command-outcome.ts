import type { CallOutcome } from '@busbar/contracts';

/** Error codes of docs/errors.md for a CALL without an answer. */
const ERRORS = {
  error: 'charger_error',
  invalid_answer: 'charger_invalid_answer',
  timeout: 'charger_timeout',
  disconnected: 'charger_disconnected',
  not_here: 'charger_offline',
  busy: 'charger_busy',
} as const;

/** The status of the charger's response, `answered` where it has none, or the error code. */
export function outcomeName(outcome: CallOutcome): string {
  if (outcome.outcome !== 'answered') return ERRORS[outcome.outcome];
  const { status } = outcome.payload;
  return typeof status === 'string' && status !== '' ? status : 'answered';
}
