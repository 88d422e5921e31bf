// The interactive page on an OpenAPI document: Swagger UI's own files, copied beside this package by tools/pages.mjs,
// and a small script of ours. No inline script, nothing from another host: it works with no network.
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
  /** Where the document is, below the base path. */
  readonly documentPath: string;
  readonly logger: Logger;
}

/**
 * The page `/docs` and its files. Without the copied files there is no page, and a warning names the command that makes
 * them: the API itself does not depend on it.
 */
export function docsPages(options: DocsPageOptions): readonly Page[] {
  const missing = FILES.find(({ from, name }) => !existsSync(join(from, name)));
  if (missing !== undefined) {
    options.logger.warn(
      { file: missing.name },
      'no interactive page: its files are missing, "npm run build" makes them',
    );
    return [];
  }
  const html = { contentType: 'text/html; charset=utf-8', body: Buffer.from(pageOf(options)) };
  return [
    { method: 'GET', path: '/docs', ...html },
    { method: 'GET', path: '/docs/', ...html },
    ...FILES.map(({ name, from, contentType }): Page => {
      return { method: 'GET', path: `/docs/${name}`, contentType, body: readFileSync(join(from, name)) };
    }),
  ];
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
