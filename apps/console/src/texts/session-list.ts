// Texts of lists of sessions.
import { numberOf } from '../parts/format';
import { plural } from '../texts';

export const sessionListTexts = {
  csv: 'Download CSV',
  csvTitle: 'Download the sessions as CSV',
  csvFailed: 'The sessions could not be read to their end',
  csvProgress: (done: number, total: number) => `${numberOf(done)} of ${plural(total, 'session', 'sessions')}`,
  inProgress: (shown: number, total: number) =>
    `The first ${numberOf(shown)} of ${numberOf(total)} sessions in progress come first.`,
  allInProgress: 'Show all in progress',
  sum: (count: number, energy: string) => `${plural(count, 'session', 'sessions')} · ${energy}`,
  sumOfPart: (shown: number, total: number, energy: string) =>
    `The ${numberOf(shown)} shown here of ${plural(total, 'session', 'sessions')} · ${energy}`,
  unknownEnergy: (count: number) => `without ${numberOf(count)} whose energy is not known`,
  countsByStart: 'A session belongs to the day on which it started.',
  filter: 'Filter by day, tag or state',
  stop: 'Stop',
  stopOf: (id: number) => `Stop session ${String(id)}`,
} as const;
