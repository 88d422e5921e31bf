// How the console is bundled. `tools/console.mjs` runs it, compresses the result and puts it into dist/.
import { defineConfig } from 'vite';

/** For `npm run dev -w @busbar/console`: the service whose data the page shows. */
const SERVICE = process.env.BUSBAR_URL ?? 'https://localhost:8443';
const proxied = { target: SERVICE, secure: false };

export default defineConfig({
  base: '/console/',
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
  server: { proxy: { '/v2': proxied, '/console/session': proxied } },
});
