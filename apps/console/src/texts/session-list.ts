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
  stop: 'Stop',
  stopOf: (id: number) => `Stop session ${String(id)}`,
  actions: 'Actions',
} as const;
