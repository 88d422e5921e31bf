// Texts of the forms of records.
export const recordsTexts = {
  searchSites: 'Search sites',
  anySite: 'Any site',
  addSite: 'Add a site',
  removeSite: (path: string) => `Remove the site ${path}`,
  yesNo: ['Yes', 'No'],
  noJson: 'This is no JSON object.',
  conflict: 'Somebody else changed this meanwhile. Nothing of yours was stored yet.',
  conflictHint: 'Your version changes only the fields that you changed.',
  field: 'Field',
  stored: 'Stored now',
  own: 'Yours',
  untouched: 'not changed',
  keepStored: 'Discard mine',
  sendOwn: 'Store mine',
} as const;
