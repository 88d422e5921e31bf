// How the console is bundled. `tools/console.mjs` runs it, compresses the result and puts it into dist/.
import { defineConfig } from 'vite';

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

const proxied = { target: SERVICE, secure: false };

export default defineConfig({
  base: '/console/',
  // Its modules, not the script that its package names.
  resolve: { alias: [{ find: /^leaflet$/, replacement: 'leaflet/dist/leaflet-src.esm.js' }] },
  plugins: [withoutMarkup],
  build: {
    target: 'es2023',
    // Inlined files would need `data:` in the security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      onLog(level, log, report) {
        // `use client` of libraries has a meaning only where a server renders.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  server: { proxy: { '/v2': proxied, '/console/session': proxied, '/console/config': proxied } },
});
