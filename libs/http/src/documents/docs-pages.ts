// The interactive page of an OpenAPI document: Swagger UI's files, which tools/pages.mjs copies and compresses, and a start script. It
// has no inline script and loads nothing from other hosts.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '@busbar/core';
import type { Page } from '../routing/page';

const ASSETS = join(__dirname, '../../assets');
const COPIED = join(ASSETS, 'swagger-ui');

const FILES = [
  { name: 'swagger-ui-bundle.js', from: COPIED, contentType: 'text/javascript; charset=utf-8' },
  { name: 'swagger-ui.css', from: COPIED, contentType: 'text/css; charset=utf-8' },
  { name: 'LICENSE', from: COPIED, contentType: 'text/plain; charset=utf-8' },
  { name: 'init.js', from: ASSETS, contentType: 'text/javascript; charset=utf-8' },
] as const;

export interface DocsPageOptions {
  /** Shown in the browser's title. */
  readonly title: string;
  readonly basePath: string;
  /** The document's path below the base path. */
  readonly documentPath: string;
  readonly logger: Logger;
}

/**
 * The page `/docs` and its files. Without the copied files a warning names the command that copies them; the API works without
 * the page.
 */
export function docsPages(options: DocsPageOptions): readonly Page[] {
  const missing = FILES.find(({ from, name }) => !existsSync(join(from, name)));
  if (missing !== undefined) {
    options.logger.warn(
      { file: missing.name },
      'interactive page unavailable: its files are missing; run "npm run build"',
    );
    return [];
  }
  const html = { contentType: 'text/html; charset=utf-8', body: Buffer.from(pageOf(options)) };
  return [
    { method: 'GET', path: '/docs', ...html },
    { method: 'GET', path: '/docs/', ...html },
    ...FILES.map(({ name, from, contentType }): Page => {
      const file = join(from, name);
      return { method: 'GET', path: `/docs/${name}`, contentType, body: readFileSync(file), encoded: encodedOf(file) };
    }),
  ];
}

/** Undefined for a small file, which was not compressed. */
function encodedOf(file: string): Page['encoded'] {
  const [br, gzip] = [`${file}.br`, `${file}.gz`];
  return existsSync(br) && existsSync(gzip) ? { br: readFileSync(br), gzip: readFileSync(gzip) } : undefined;
}

function pageOf({ title, basePath, documentPath }: DocsPageOptions): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${basePath}/docs/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui" data-document="${basePath}${documentPath}"></div>
    <script src="${basePath}/docs/swagger-ui-bundle.js"></script>
    <script src="${basePath}/docs/init.js"></script>
  </body>
</html>
`;
}
