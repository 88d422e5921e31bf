import { isSameNeed, MAX_CHARGERS, selects, streamUrl, unite } from './needs';

describe('the needs of all screens together', () => {
  it('are nothing where nobody needs anything', () => {
    expect(unite([])).toBeUndefined();
  });

  it('are the union of types and chargers', () => {
    const fleet = { types: ['charger.connected', 'charger.disconnected'], chargerIds: ['B', 'A'] };
    const charger = { types: ['charger.connected', 'meter.values'], chargerIds: ['C', 'A'] };
    expect(unite([fleet, charger])).toEqual({
      types: ['charger.connected', 'charger.disconnected', 'meter.values'],
      chargerIds: ['A', 'B', 'C'],
    });
  });

  it('name no charger where one screen needs all of them', () => {
    expect(unite([{ types: ['charger.*'] }, { types: ['charger.*'], chargerIds: ['A'] }])).toEqual({
      types: ['charger.*'],
    });
  });

  it('name no charger above the limit of a request', () => {
    const chargerIds = Array.from({ length: MAX_CHARGERS + 1 }, (_, n) => `C${String(n)}`);
    expect(unite([{ types: ['charger.*'], chargerIds: chargerIds.slice(1) }])?.chargerIds).toHaveLength(MAX_CHARGERS);
    expect(unite([{ types: ['charger.*'], chargerIds }])?.chargerIds).toBeUndefined();
  });

  it('are the same in any order', () => {
    const one = unite([
      { types: ['a', 'b'], chargerIds: ['1'] },
      { types: ['a'], chargerIds: ['2'] },
    ]);
    const other = unite([{ types: ['b', 'a'], chargerIds: ['2', '1'] }]);
    expect(isSameNeed(one, other)).toBe(true);
    expect(isSameNeed(one, undefined)).toBe(false);
  });
});

describe('a need', () => {
  const event = { type: 'session.started', chargerId: 'A' };

  it.each([
    [{ types: ['session.started'] }, true],
    [{ types: ['session.*'] }, true],
    [{ types: ['*'] }, true],
    [{ types: ['charger.*'] }, false],
    [{ types: ['session'] }, false],
    [{ types: ['session.*'], chargerIds: ['A'] }, true],
    [{ types: ['session.*'], chargerIds: ['B'] }, false],
  ])('%j selects the event: %s', (need, isSelected) => {
    expect(selects(need, event)).toBe(isSelected);
  });

  it('of chargers does not select an event without one', () => {
    expect(selects({ types: ['*'], chargerIds: ['A'] }, { type: 'webhook.test', chargerId: null })).toBe(false);
  });

  it('becomes the address of the stream, behind a cursor', () => {
    expect(streamUrl({ types: ['a', 'b'], chargerIds: ['X:1', 'Y'] }, undefined)).toBe(
      '/v2/events/stream?types=a%2Cb&chargerIds=X%3A1%2CY',
    );
    expect(streamUrl({ types: ['a'] }, 'cur')).toBe('/v2/events/stream?types=a&after=cur');
  });
});
