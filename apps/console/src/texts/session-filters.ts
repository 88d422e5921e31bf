// Texts of the filters of sessions.

export const sessionFiltersTexts = {
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
