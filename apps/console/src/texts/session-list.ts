// Texts of lists of sessions.
import { plural } from '../texts';

export const sessionListTexts = {
  csv: 'Download CSV',
  csvTitle: 'Download the sessions as CSV',
  csvFailed: 'The sessions could not be read to their end',
  csvProgress: (done: number, total: number) =>
    `${done.toLocaleString('en')} of ${plural(total, 'session', 'sessions')}`,
  inProgress: (shown: number, total: number) =>
    `The first ${shown.toLocaleString('en')} of ${total.toLocaleString('en')} sessions in progress come first.`,
  allInProgress: 'Show all in progress',
  sum: (count: number, energy: string) => `${plural(count, 'session', 'sessions')} · ${energy}`,
  sumOfPart: (shown: number, total: number, energy: string) =>
    `The ${shown.toLocaleString('en')} shown here of ${plural(total, 'session', 'sessions')} · ${energy}`,
  unknownEnergy: (count: number) => `without ${count.toLocaleString('en')} whose energy is not known`,
  countsByStart: 'A session belongs to the day on which it started.',
  filter: 'Filter by day, tag or state',
  stop: 'Stop',
  stopOf: (id: number) => `Stop session ${String(id)}`,
  actions: 'Actions',
} as const;
