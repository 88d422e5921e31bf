import { summarizeProfile } from './profile-summary';

const frame = (functionName: string, url = '', lineNumber = 0) => ({ functionName, url, lineNumber });

describe('the summary of a profile', () => {
  it('gives each function its share of the time that was not idle', () => {
    const summary = summarizeProfile(
      {
        nodes: [
          { id: 1, callFrame: frame('(idle)') },
          { id: 2, callFrame: frame('parse', '/home/x/libs/ocpp/dist/frame.js', 9) },
          { id: 3, callFrame: frame('', 'node:net', 4) },
          { id: 4, callFrame: frame('parse', '/home/x/libs/ocpp/dist/frame.js', 9) },
          { id: 5, callFrame: frame('(garbage collector)') },
        ],
        samples: [1, 2, 3, 4, 5],
        timeDeltas: [500, 200, 100, 100, 100],
      },
      2,
    );
    expect(summary.busy).toBe(0.5);
    expect(summary.functions).toEqual([
      { name: 'parse libs/ocpp/dist/frame.js:10', share: 0.6 },
      { name: '(anonymous) node:net:5', share: 0.2 },
    ]);
    expect(summary.parts).toEqual([
      { name: 'libs/ocpp', share: 0.6 },
      { name: 'Node', share: 0.2 },
    ]);
  });

  it('summarizes an empty profile as empty', () => {
    expect(summarizeProfile({ nodes: [] }, 5)).toEqual({ busy: 0, parts: [], functions: [] });
  });
});
