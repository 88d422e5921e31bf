import { appliesAt, validityS } from './authorization-endpoint';

describe('an authorization endpoint', () => {
  it.each([
    ['applies at every site', { enabled: true, siteIds: null }, true],
    ['applies at a site that it names', { enabled: true, siteIds: [7, 3] }, true],
    ['does not apply at another site', { enabled: true, siteIds: [7] }, false],
    ['applies nowhere when it names no site', { enabled: true, siteIds: [] }, false],
    ['applies nowhere when it is disabled', { enabled: false, siteIds: null }, false],
  ])('%s', (_title, terms, expected) => {
    expect(appliesAt(terms, 3)).toBe(expected);
  });

  it.each([
    [60, undefined, 60],
    [60, 10, 10],
    [60, 600, 60],
    [60, 0, 0],
    [0, 600, 0],
  ])('lets a verdict be used again, with cacheS %s and validForS %s, for %s s', (cacheS, validForS, expected) => {
    expect(validityS(cacheS, validForS)).toBe(expected);
  });
});
