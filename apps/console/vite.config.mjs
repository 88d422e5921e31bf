// How the console is bundled. `tools/console.mjs` runs it, compresses the result and puts it into dist/.
import { defineConfig } from 'vite';

const BASE = '/console/';
/** For `npm run dev -w @busbar/console`: the service whose data the page shows. */
const SERVICE = process.env.BUSBAR_URL ?? 'https://localhost:8443';
/**
 * Leaflet finds out whether the browser draws SVG by writing markup, which the security policy refuses. Every browser that the build is for
 * does.
 */
const withoutMarkup = {
  name: 'leaflet-without-markup',
  transform(code, id) {
    if (!id.endsWith('/leaflet-src.esm.js')) return undefined;
    const found = /var inlineSvg = !!svg\$1 && \(function \(\) \{[^}]*\}\)\(\);/;
    if (!found.test(code)) throw new Error('Leaflet has changed: see whether it still writes markup when it is loaded');
    return { code: code.replace(found, 'var inlineSvg = true;'), map: null };
  },
};

const FIRST_SCREEN = ['first', 'page'];

/** Lets the browser load the page itself together with the first script, which imports it later. */
const pagePreloaded = {
  name: 'page-preloaded',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      if (bundle === undefined) return [];
      const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
      const page = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith('/src/frame/show.tsx')));
      const needed = [...chunksOf(bundle, page)];
      const sheets = new Set(needed.flatMap(({ viteMetadata }) => [...viteMetadata.importedCss]));
      const links = [
        ...needed.map(({ fileName }) => ({ rel: 'modulepreload', file: fileName })),
        ...[...sheets].map((file) => ({ rel: 'stylesheet', file })),
      ];
      return links
        .filter(({ file }) => !html.includes(file))
        .map(({ rel, file }) => ({
          tag: 'link',
          attrs: { rel, crossorigin: true, href: BASE + file },
          injectTo: 'head',
        }));
    },
  },
};

/**
 * Has V8 compile all functions of the two scripts of the first screen while they are loaded, on a thread of its own: one at a time, at their
 * first call, they took a seventh of the page's thread. It is a comment to other browsers.
 */
const compiledWhileLoading = {
  name: 'compiled-while-loading',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk' && FIRST_SCREEN.includes(chunk.name)) {
          chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
        }
      }
    },
  },
};

/** A chunk after those that it imports: what it changes of their styles comes after them. */
function chunksOf(bundle, chunk, seen = new Set()) {
  for (const file of chunk.imports) if (!seen.has(bundle[file])) chunksOf(bundle, bundle[file], seen);
  return seen.add(chunk);
}

const proxied = { target: SERVICE, secure: false };

export default defineConfig({
  base: BASE,
  // Its modules, not the script that its package names.
  resolve: { alias: [{ find: /^leaflet$/, replacement: 'leaflet/dist/leaflet-src.esm.js' }] },
  plugins: [withoutMarkup, pagePreloaded, compiledWhileLoading],
  build: {
    target: 'es2023',
    // Inlined files would need `data:` in the security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      output: {
        // Two files instead of thirty: over HTTP/1.1 a browser asks for six at a time.
        codeSplitting: {
          groups: [
            { name: 'first', test: /\/src\/main\.ts$/, priority: 2 },
            { name: 'page', test: /\/src\/frame\/show\.tsx$/, priority: 1 },
          ],
        },
      },
      onLog(level, log, report) {
        // `use client` of libraries has a meaning only where a server renders.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  server: { proxy: { '/v2': proxied, '/console/session': proxied, '/console/config': proxied } },
});
