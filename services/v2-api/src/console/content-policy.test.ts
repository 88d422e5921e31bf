import { TILES } from './content-policy';

describe('a template of tiles', () => {
  it.each(['https://tiles.example/{z}/{x}/{y}.png', 'https://{s}.tiles.example/{z}/{y}/{x}{r}.png?key=a'])(
    'may be %s',
    (url) => {
      expect(TILES.test(url)).toBe(true);
    },
  );

  it.each([
    'http://tiles.example/{z}/{x}/{y}.png',
    'https://tiles.example/{z}/{x}.png',
    'https://tiles.example/{z}/{x}/{y}/{other}.png',
    'https://user:secret@tiles.example/{z}/{x}/{y}.png',
    "https://tiles.example; script-src 'unsafe-inline'/{z}/{x}/{y}",
    'https://*/{z}/{x}/{y}',
    'https://tiles.example/{z}/{x}/{y} x',
    'tiles.example/{z}/{x}/{y}',
  ])('may not be %s', (url) => {
    expect(TILES.test(url)).toBe(false);
  });
});
