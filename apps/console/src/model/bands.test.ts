import { bandsOfConnections, bandsOfSocket, bandsOfStates } from './bands';

const at = (second: number) => new Date(second * 1_000).toISOString();
const range = { from: 100_000, to: 200_000 };

describe('bands of states', () => {
  it('reach from each change to the next, and to the end', () => {
    expect(
      bandsOfStates(
        [
          { at: at(150), state: 'Charging' },
          { at: at(110), state: 'Available' },
        ],
        range,
      ),
    ).toEqual([
      { from: 110_000, to: 150_000, state: 'Available' },
      { from: 150_000, to: 200_000, state: 'Charging' },
    ]);
  });

  it('are cut at the range, and equal neighbours are one', () => {
    const changes = [
      { at: at(50), state: 'Available' },
      { at: at(120), state: 'Available' },
      { at: at(180), state: 'Error' },
      { at: at(250), state: 'Available' },
    ];
    expect(bandsOfStates(changes, range)).toEqual([
      { from: 100_000, to: 180_000, state: 'Available' },
      { from: 180_000, to: 200_000, state: 'Error' },
    ]);
  });

  it('begin with the last change before the range', () => {
    const changes = [
      { at: at(80), state: 'Charging' },
      { at: at(60), state: 'Available' },
    ];
    expect(bandsOfStates(changes, range)).toEqual([{ ...range, state: 'Charging' }]);
  });

  it('are none without a change, and of a socket one of its present state', () => {
    expect(bandsOfStates([], range)).toEqual([]);
    expect(bandsOfSocket([], undefined, range)).toEqual([]);
    expect(bandsOfSocket([], 'Available', range)).toEqual([{ ...range, state: 'Available' }]);
    expect(bandsOfSocket([{ at: at(150), state: 'Error' }], 'Available', range)).toEqual([
      { from: 150_000, to: 200_000, state: 'Error' },
    ]);
  });
});

describe('bands of connections', () => {
  it('show the time between two connections', () => {
    const connections = [
      { connectedAt: at(160), disconnectedAt: null },
      { connectedAt: at(90), disconnectedAt: at(140) },
    ];
    expect(bandsOfConnections(connections, range)).toEqual([
      { from: 100_000, to: 140_000, state: 'connected' },
      { from: 140_000, to: 160_000, state: 'disconnected' },
      { from: 160_000, to: 200_000, state: 'connected' },
    ]);
  });
});
