import { clustersOf } from './clusters';

const pointsOf = (places: readonly (readonly [number, number])[]) =>
  places.map(([x, y], n) => ({ x, y, item: String.fromCharCode(97 + n) }));
const gathered = (places: readonly (readonly [number, number])[]) =>
  clustersOf(pointsOf(places), 10).map(({ items }) => items.join(''));

describe('clusters of marks', () => {
  it.each<[string, [number, number][], string[]]>([
    ['nothing', [], []],
    ['one', [[3, 3]], ['a']],
    [
      'two at one place',
      [
        [3, 3],
        [3, 3],
      ],
      ['ab'],
    ],
    [
      'two nearer than the radius, over the border of a cell',
      [
        [9, 9],
        [11, 11],
      ],
      ['ab'],
    ],
    [
      'two as far as the radius',
      [
        [0, 0],
        [10, 0],
      ],
      ['a', 'b'],
    ],
    [
      'two in neighbouring cells, but too far',
      [
        [0, 0],
        [19, 0],
      ],
      ['a', 'b'],
    ],
    [
      'negative pixels',
      [
        [-1, -1],
        [1, 1],
      ],
      ['ab'],
    ],
    [
      'a row: those near to the first one, then the rest',
      [
        [0, 0],
        [8, 0],
        [16, 0],
        [24, 0],
      ],
      ['ab', 'cd'],
    ],
    [
      'one between two: with the nearest',
      [
        [0, 0],
        [18, 0],
        [10, 0],
      ],
      ['a', 'bc'],
    ],
    [
      'several clusters in one cell',
      [
        [0, 0],
        [9.9, 9.9],
      ],
      ['a', 'b'],
    ],
  ])('gathers %s', (_what, places, expected) => {
    expect(gathered(places)).toEqual(expected);
  });

  it('stand in the middle of their points', () => {
    expect(
      clustersOf(
        pointsOf([
          [2, 4],
          [4, 8],
        ]),
        10,
      ),
    ).toEqual([{ x: 3, y: 6, items: ['a', 'b'] }]);
  });

  it('keep every point once, whatever their order', () => {
    const many = Array.from({ length: 2_000 }, (_, n) => ({ x: (n * 7919) % 500, y: (n * 104_729) % 500, item: n }));
    const items = clustersOf(many, 40).flatMap((cluster) => [...cluster.items]);
    expect(items.sort((a, b) => a - b)).toEqual(many.map(({ item }) => item));
  });
});
