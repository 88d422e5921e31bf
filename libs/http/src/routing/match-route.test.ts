import { createMatcher } from './match-route';

const match = createMatcher([
  { method: 'GET', path: '/things/:id' },
  { method: 'DELETE', path: '/things/:id' },
  { method: 'GET', path: '/things/state' },
  { method: 'POST', path: '/things' },
]);

describe('the matcher', () => {
  it('prefers a literal segment to a parameter', () => {
    expect(match('GET', '/things/state')).toMatchObject({
      kind: 'found',
      target: { path: '/things/state' },
      params: {},
    });
    expect(match('DELETE', '/things/state')).toMatchObject({ kind: 'found', params: { id: 'state' } });
  });

  it('gives parameters as they came, still encoded', () => {
    expect(match('GET', '/things/a%2Fb')).toMatchObject({ kind: 'found', params: { id: 'a%2Fb' } });
  });

  it('takes HEAD for GET', () => {
    expect(match('HEAD', '/things/a')).toMatchObject({ kind: 'found', target: { method: 'GET' } });
  });

  it('names the methods of a path that has others', () => {
    expect(match('PATCH', '/things/a')).toEqual({
      kind: 'other_method',
      allow: ['DELETE', 'GET', 'HEAD', 'OPTIONS'],
    });
    expect(match('GET', '/things')).toEqual({ kind: 'other_method', allow: ['OPTIONS', 'POST'] });
  });

  it.each(['/thing', '/things/', '/things/a/b', '//things', '', '/Things', 'things', '*'])(
    'knows nothing of %j',
    (path) => {
      expect(match('GET', path)).toEqual({ kind: 'none' });
    },
  );
});
