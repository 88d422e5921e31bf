// The pages of error codes: what each means and what to do. The `type` of an error of the v2 API is the path of its page.
import type { ErrorCode } from '@busbar/core';
import type { ErrorPresenter, Page } from '@busbar/http';
import { errorExample } from './error-examples';
import { ERROR_PAGE_STYLE } from './error-page-style';
import { API_ERRORS, CLIENT_ERROR_CODES } from './errors';
import { escapeHtml } from './escape-html';

/** Below the base path. The page of a code is one segment deeper. */
export const ERRORS_PATH = '/errors';

/** An error code as its page shows it, as JSON. */
interface ErrorEntry {
  readonly code: ErrorCode;
  readonly type: string;
  readonly status: number;
  readonly title: string;
  readonly meaning: string;
  readonly action: string;
}

/**
 * The page of each code that clients can get, and their index at `ERRORS_PATH`: HTML, or JSON for clients that prefer it. They
 * need no API key. `presenter` makes the example of a response.
 */
export function errorPages(basePath: string, presenter: ErrorPresenter): readonly Page[] {
  const index = `${basePath}${ERRORS_PATH}`;
  const all = CLIENT_ERROR_CODES.map((code) => factsOf(index, code));
  return [
    pageOf(ERRORS_PATH, 'Error codes', indexHtml(all), { errors: all }),
    ...all.map((facts) => {
      const example = presenter.bodyOf(errorExample(facts.code, basePath));
      const html = codeHtml(facts, example, index);
      return pageOf(`${ERRORS_PATH}/${facts.code}`, facts.code, html, { ...facts, example });
    }),
  ];
}

function factsOf(index: string, code: ErrorCode): ErrorEntry {
  const { status, title, meaning, action } = API_ERRORS[code];
  return { code, type: `${index}/${code}`, status, title, meaning, action };
}

function pageOf(path: string, title: string, html: string, json: object): Page {
  return {
    method: 'GET',
    path,
    contentType: 'text/html; charset=utf-8',
    style: ERROR_PAGE_STYLE,
    body: Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Busbar</title>
<link rel="icon" href="data:,">
<style>${ERROR_PAGE_STYLE}</style>
</head>
<body>
${html}
</body>
</html>
`),
    json: Buffer.from(JSON.stringify(json)),
  };
}

function indexHtml(all: readonly ErrorEntry[]): string {
  const rows = all.map(
    ({ code, type, status, title }) =>
      `<tr><td>${String(status)}</td><td><a href="${type}"><code>${code}</code></a></td><td>${escapeHtml(title)}</td></tr>`,
  );
  return `<h1>Error codes</h1>
<p>Each error has one of these in <code>code</code>; its <code>type</code> is the address of the page.</p>
<table>
<thead><tr><th>Status</th><th>Code</th><th>Title</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
}

function codeHtml({ code, status, title, meaning, action }: ErrorEntry, example: object, index: string): string {
  return `<p><a href="${index}">All error codes</a></p>
<h1>${escapeHtml(title)}</h1>
<p><code>${code}</code>, status ${String(status)}</p>
<h2>What it means</h2>
<p>${textHtml(meaning)}</p>
<h2>What to do</h2>
<p>${textHtml(action)}</p>
<h2>Example</h2>
<pre><code>${escapeHtml(JSON.stringify(example, undefined, 2))}</code></pre>`;
}

/** Text with `code` in backticks. */
function textHtml(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}
