// Texts of the screen of events.
export const eventsTexts = {
  title: 'Events',
  failed: 'The events could not be read',
  empty: 'No event yet',
  emptyText: 'Connections, states, sessions and commands appear here as they happen.',
  nothing: 'No event matches',
  nothingText: 'What happens from now on appears here.',
  type: 'Type',
  standard: 'Standard types',
  charger: 'Charger id',
  time: 'Time',
  event: 'Event and charger',
  content: 'Content',
  pause: 'Pause',
  resume: 'Resume',
  waiting: (count: number) => (count === 1 ? '1 new event' : `${count.toLocaleString('en')} new events`),
  tooMany:
    'More events are stored than can be read here. Shown are those from now on: filter by charger or type, or read the feed by the API.',
  bounded: (count: number) => `The newest ${count.toLocaleString('en')} are shown.`,
  curl: 'Copy as curl',
  curlHint: 'Set API_KEY to a key with the permission events:read.',
} as const;
