// Texts of a charger's configuration.
export const configurationTexts = {
  failed: 'The configuration could not be read',
  empty: 'Not read yet',
  emptyText: 'The charger has not been asked for its configuration.',
  ask: 'Ask the charger now',
  askFailed: 'The charger could not be asked',
  nothing: (text: string) => `No key has “${text}” in its name`,
  filter: 'Filter by key',
  key: 'Key',
  value: 'Value',
  access: 'Access',
  readOnly: 'Read only',
  writable: 'Can be changed',
  change: 'Change',
  changeKey: (key: string) => `Change ${key}`,
  changeFailed: 'The value was not changed',
  send: 'Send to the charger',
} as const;
