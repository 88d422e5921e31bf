// Texts of the filters of sessions, and of the list as CSV.
import { plural } from '../texts';

export const sessionFiltersTexts = {
  csv: 'Download CSV',
  csvTitle: 'Download the sessions as CSV',
  csvFailed: 'The sessions could not be read to their end',
  csvProgress: (done: number, total: number) =>
    `${done.toLocaleString('en')} of ${plural(total, 'session', 'sessions')}`,
  filters: 'Filters',
  apply: 'Apply',
  chosen: 'Filters that apply',
  site: 'Site',
  anySite: 'All sites',
  charger: 'Charger id',
  tag: 'Tag',
  exactly: 'The whole id. Empty: all.',
  from: 'Started from',
  to: 'Started until',
  toHint: 'With this day.',
  remove: (filter: string) => `Remove the filter ${filter}`,
} as const;
