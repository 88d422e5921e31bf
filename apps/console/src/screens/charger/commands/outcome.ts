// What the end of a command means to a reader: above all, whether the charger may have carried it out. Pure.
import type { Failure, FailureCode } from '../../../api/problem';
import { agrees } from '../../../model/command-outcome';
import { commandsTexts } from '../../../texts/commands';

export interface Outcome {
  readonly tone: 'good' | 'wait' | 'bad';
  readonly title: string;
  readonly sentence: string;
}

/** Whether the charger may have carried the command out, where the status does not say it. */
const MAY_BE_DONE: Partial<Record<FailureCode, boolean>> = {
  charger_error: false,
  charger_busy: false,
  request_in_progress: true,
};
const SERVER_ERROR = 500;

/** The meaning of a failure: before a status of 500 nothing was sent; no response at all leaves it open. */
export function outcomeOfFailure({ code, status }: Pick<Failure, 'code' | 'status'>): Outcome {
  const mayBeDone = MAY_BE_DONE[code] ?? (status >= SERVER_ERROR || status === 0);
  const own: Partial<Record<FailureCode, string>> = commandsTexts.outcomes;
  return {
    tone: mayBeDone ? 'wait' : 'bad',
    title: mayBeDone ? commandsTexts.notKnown : commandsTexts.notDone,
    sentence: own[code] ?? (mayBeDone ? commandsTexts.mayBeDone : commandsTexts.notSent),
  };
}

/** What the charger's own answer means. */
export function outcomeOfStatus(status: string | null): Outcome {
  if (status === null) return { tone: 'good', title: commandsTexts.answered, sentence: commandsTexts.seeAnswer };
  const isGood = agrees(status);
  const own: Readonly<Record<string, string>> = commandsTexts.statuses;
  return {
    tone: isGood ? 'good' : 'bad',
    title: commandsTexts.chargerAnswers(status),
    sentence: own[status] ?? (isGood ? commandsTexts.agreed : commandsTexts.refused),
  };
}
