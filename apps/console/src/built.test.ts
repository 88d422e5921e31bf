// What the build made: sizes, and that nothing of it needs more than the security policy allows. `npm test` builds first.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const DIST = join(__dirname, '../dist');
const ASSETS = join(DIST, 'assets');
const FIRST_SCREEN_BYTES = 180_000;
const FURTHER_SCREEN_BYTES = 60_000;
const html = readFileSync(join(DIST, 'index.html'), 'utf8');
const files = readdirSync(ASSETS);
/** What a first visit to the fleet loads, without what these import. */
const first = files.filter((file) => html.includes(`/assets/${file}"`));
const sources = files.filter((file) => /\.(?:js|css)$/.test(file));
const sizeOf = (file: string) => readFileSync(join(ASSETS, files.includes(`${file}.br`) ? `${file}.br` : file)).length;
const sum = (some: readonly string[]) => some.reduce((bytes, file) => bytes + sizeOf(file), 0);

/** The scripts that a script imports at once: those of `import()` are loaded later. */
function withImports(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(join(ASSETS, file), 'utf8');
  for (const [, name = ''] of text.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) withImports(name, seen);
  return seen;
}

describe('the built console', () => {
  it('loads no more than 180 kB of compressed scripts and styles for the first screen', () => {
    const scripts = new Set(first.filter((file) => file.endsWith('.js')).flatMap((file) => [...withImports(file)]));
    const styles = first.filter((file) => file.endsWith('.css'));
    expect(scripts.size).toBeGreaterThan(1);
    expect(sum([...scripts, ...styles])).toBeLessThanOrEqual(FIRST_SCREEN_BYTES);
  });

  it('loads no more than 60 kB for each further screen', () => {
    const base = new Set(first.filter((file) => file.endsWith('.js')).flatMap((file) => [...withImports(file)]));
    const screens = sources.filter((file) => /-(?:screen|tab)-.*\.js$/.test(file));
    expect(screens.length).toBeGreaterThan(0);
    for (const screen of screens) {
      const style = sources.filter((file) => file.endsWith('.css') && file.startsWith(screen.replace(/-[^-]+$/, '-')));
      const own = [...withImports(screen)].filter((file) => !base.has(file));
      expect([screen, sum([...own, ...style]) <= FURTHER_SCREEN_BYTES]).toEqual([screen, true]);
    }
  });

  it('has names with hashes, and each larger file compressed', () => {
    for (const file of sources) {
      expect(file).toMatch(/-[\w-]{8}\.(?:js|css)$/);
      const isLarge = readFileSync(join(ASSETS, file)).length >= 1_000;
      expect([file, files.includes(`${file}.br`), files.includes(`${file}.gz`)]).toEqual([file, isLarge, isLarge]);
    }
  });

  it('needs no other host, no inline script and no inline style', () => {
    expect(html).not.toMatch(/<style|style=|<script(?![^>]* src=)| on\w+=|https?:|\/\/[\w-]+\./);
    for (const [, address = ''] of html.matchAll(/(?:src|href)="([^"]+)"/g)) expect(address).toMatch(/^\/console\//);
    for (const file of sources.filter((name) => name.endsWith('.css'))) {
      expect(readFileSync(join(ASSETS, file), 'utf8')).not.toMatch(/@import|url\((?!['"]?data:)/);
    }
  });

  it('asks only the documented v2 API and its own session', () => {
    const scripts = sources
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(join(ASSETS, file), 'utf8'));
    const paths = new Set(
      scripts.flatMap((text) => [...text.matchAll(/["'`](\/v2\/[\w{}/-]+)/g)].map(([, path = '']) => path)),
    );
    const document = JSON.parse(readFileSync(join(DIST, '../../../docs/api/v2.openapi.json'), 'utf8')) as {
      paths: object;
    };
    const documented = Object.keys(document.paths);
    expect(paths.size).toBeGreaterThan(5);
    for (const path of paths) {
      const isDocumented = documented.some(
        (known) => known === path || known.startsWith(`${path.replace(/\/$/, '')}/`),
      );
      expect([path, isDocumented]).toEqual([path, true]);
    }
  });
});
