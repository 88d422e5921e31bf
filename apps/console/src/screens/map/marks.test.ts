import { parseMapSearch, placeOf, textOf } from './map-search';
import { sumOf } from '../../records/state-sums';
import { describeMark, titleOf } from './site-counts';

const siteOf = (id: number, name: string, numberOfChargers: number) => ({
  id,
  name,
  sitePath: name,
  numberOfChargers,
  latitude: 0,
  longitude: 0,
});

describe('a mark of the map', () => {
  it('has the sums of the states at its sites, in the order of figures', () => {
    const sums = sumOf([{ Available: 2, Error: 1 }, undefined, { Charging: 3, Available: 1, Offline: 0 }]);
    expect(sums).toEqual([
      ['Charging', 3],
      ['Available', 3],
      ['Error', 1],
    ]);
  });

  it('is named after its site, or the number of sites', () => {
    const [pier, quay] = [siteOf(1, 'Pier', 1), siteOf(2, 'Quay', 1_200)];
    expect(titleOf([pier])).toBe('Pier');
    expect(describeMark([pier], [['Charging', 1]])).toBe('Pier: 1 charger, 1 Charging');
    expect(describeMark([pier, quay], [])).toBe('2 sites: 1,201 chargers');
  });
});

describe('the place in the address of the map', () => {
  it.each([
    ['59.91,10.75,12', { latitude: 59.91, longitude: 10.75, zoom: 12 }],
    ['-33.5,-180,2', { latitude: -33.5, longitude: -180, zoom: 2 }],
    ['91,0,5', undefined],
    ['0,181,5', undefined],
    ['0,0,1', undefined],
    ['0,0,20', undefined],
    ['0,0', undefined],
    ['here', undefined],
  ])('%s is %j', (at, expected) => {
    expect(placeOf(at)).toEqual(expected);
    expect(parseMapSearch({ at })).toEqual(expected === undefined ? {} : { at });
  });

  it('is written as it is read', () => {
    const place = { latitude: 59.91, longitude: -10.75, zoom: 12 };
    expect(placeOf(textOf(place))).toEqual(place);
    expect(parseMapSearch({ at: 7 })).toEqual({});
  });
});
