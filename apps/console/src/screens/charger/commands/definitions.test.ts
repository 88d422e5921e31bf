import { bodyOf, COMMANDS } from './definitions';

describe('the body of a command', () => {
  it.each([
    [
      'start',
      { rfidTag: 'TAG', validateRfid: true },
      { socketId: 2 },
      { socketId: 2, rfidTag: 'TAG', validateRfid: true },
    ],
    ['availability', { type: 'Operative', socketId: '' }, {}, { type: 'Operative' }],
    ['availability', { type: 'Operative', socketId: '1' }, {}, { type: 'Operative', socketId: 1 }],
    ['clearCache', {}, {}, {}],
    [
      'call',
      { action: 'GetConfiguration', payload: '{"key":["a"]}' },
      {},
      { action: 'GetConfiguration', payload: { key: ['a'] } },
    ],
  ] as const)('of %s with %j', (key, values, fixed, body) => {
    expect(bodyOf(COMMANDS[key], values, fixed)).toEqual({ body });
  });

  it('has timestamps in UTC', () => {
    const made = bodyOf(COMMANDS.reserve, { rfidTag: 'T', expiresAt: '2026-01-31T12:00', socketId: '' }, {});
    expect(made).toEqual({ body: { rfidTag: 'T', expiresAt: new Date('2026-01-31T12:00').toISOString() } });
  });

  it.each(['', '{', '[1]', 'null'])('names a payload that is no JSON object: %j', (payload) => {
    const made = bodyOf(COMMANDS.call, { action: 'X', payload }, {});
    expect('issues' in made).toBe(payload !== '');
  });
});
