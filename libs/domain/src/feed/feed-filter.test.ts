import { exampleEvent } from '@busbar/contracts';
import { EVENT_PATTERNS, eventTypesFor, matchesFeedFilter } from './feed-filter';

const ALL = ['chargers:read', 'sessions:read', 'tags:read', 'logs:read', 'webhooks:read'];
const types = (patterns?: readonly string[], permissions = ALL) => [...eventTypesFor(patterns, permissions)];

it('selects every type without patterns', () => {
  expect(types()).toHaveLength(21);
});

it('selects a family with all its types', () => {
  expect(types(['session.*', 'socket.*'])).toEqual([
    'socket.state_changed',
    'socket.state_reported',
    'session.started',
    'session.ended',
  ]);
});

it('leaves two frequent types out of *, unless they are named', () => {
  expect(types(['*'])).toHaveLength(19);
  expect(types(['*'])).not.toContain('meter.values');
  expect(types(['*', 'meter.values'])).toHaveLength(20);
});

it('leaves types without their permission out, and refuses one that is named', () => {
  expect(types(undefined, ['tags:read'])).toEqual(['tag.checked']);
  expect(types(['charger.*'], ['logs:read'])).toEqual(['charger.security_event', 'charger.data_transfer']);
  expect(() => types(['charger.booted', 'tag.checked'], ['tags:read'])).toThrow('chargers:read');
});

it('has a pattern for each family', () => {
  expect(EVENT_PATTERNS).toEqual(expect.arrayContaining(['*', 'charger.*', 'webhook.*', 'tag.checked']));
  expect(EVENT_PATTERNS).toHaveLength(29);
});

it('matches by type, charger and site', () => {
  const event = exampleEvent('charger.booted');
  const all = { types: eventTypesFor(undefined, ALL) };
  const matches = (part: object) => matchesFeedFilter({ ...all, ...part }, event);
  expect(matches({})).toBe(true);
  expect(matches({ types: eventTypesFor(['session.*'], ALL) })).toBe(false);
  expect([matches({ chargerIds: new Set(['ACME-17']) }), matches({ chargerIds: new Set(['other']) })]).toEqual([
    true,
    false,
  ]);
  expect([matches({ siteIds: new Set([12]) }), matches({ siteIds: new Set([13]) })]).toEqual([true, false]);
  const ofNone = exampleEvent('webhook.test');
  expect(matchesFeedFilter({ ...all, siteIds: new Set([12]) }, ofNone)).toBe(false);
  expect(matchesFeedFilter({ ...all, chargerIds: new Set(['']) }, ofNone)).toBe(false);
});
