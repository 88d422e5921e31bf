// The page at `/` of the one-process mode. It needs no script and loads nothing: styles are in the page, allowed by their hash.
import { createHash } from 'node:crypto';
import { escapeHtml } from '@busbar/api';
import type { LiveCounts } from './live-counts';
import { sampleCalls } from './sample-calls';
import { START_PAGE_STYLE } from './start-page-style';

export interface StartPageFacts {
  /** `version 0.1.0 (2129fc66644a)` */
  readonly version: string;
  /** Host and port as the reader's browser named them. */
  readonly host: string;
  readonly isSelfSigned: boolean;
  /** Undefined for a reader elsewhere, who does not get them; `unavailable` while the store does not respond. */
  readonly counts: LiveCounts | 'unavailable' | undefined;
}

/** A reader who copies a line loses the selection at each refresh. */
const REFRESH_S = 10;

/** The Content-Security-Policy of the page: its own styles and icon, and nothing else. */
export function startPagePolicy(): string {
  const hash = createHash('sha256').update(START_PAGE_STYLE).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

export function startPage(facts: StartPageFacts): string {
  const { version, host, isSelfSigned, counts } = facts;
  const calls = sampleCalls(`https://${host}`, isSelfSigned);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">${counts === undefined ? '' : `\n<meta http-equiv="refresh" content="${String(REFRESH_S)}">`}
<title>Busbar</title>
<link rel="icon" href="${ICON}">
<style>${START_PAGE_STYLE}</style>
</head>
<body>
<header>
<h1>Busbar</h1>
<p class="version">${escapeHtml(version)}</p>
<p>This service manages electric-vehicle chargers. They hold an OCPP websocket to it; integrators manage sites and chargers over HTTPS.</p>
</header>
<main>
${countsSection(counts)}
<section>
<h2>Documentation</h2>
<ul class="cards">
<li><a href="/v2/docs">v2 API</a><span>Interactive pages: enter the key and try each call. <a href="/v2/openapi.json">OpenAPI 3.1</a></span></li>
<li><a href="/api/docs">v1 (legacy) API</a><span>The same for existing clients. <a href="/api/swagger.json">OpenAPI 3.0</a></span></li>
</ul>
</section>
<section>
<h2>First calls</h2>
<p>Create a site, create a charger in it, read it. <code>API_KEY</code> is the key that the first start printed.${isSelfSigned ? ' <code>-k</code>: the certificate is self-signed.' : ''}</p>
<pre><code>${calls.map(escapeHtml).join('\n')}</code></pre>
</section>
<section>
<h2>Connect a charger</h2>
<p>OCPP 1.6 JSON, subprotocol <code>ocpp1.6</code>, with the charger&rsquo;s id at the end of the URL:</p>
<pre><code>wss://${escapeHtml(host)}/ocpp/{chargerId}</code></pre>
<p>Without a charger at hand, simulate some:</p>
<pre><code>npm run simulate -- --chargers 3 --register</code></pre>
</section>
</main>
</body>
</html>
`;
}

function countsSection(counts: StartPageFacts['counts']): string {
  if (counts === undefined)
    return '<p class="note">Live counts are shown only to a browser on the machine that runs this service.</p>';
  if (counts === 'unavailable')
    return '<p class="note">The store does not respond now: see the log of this service.</p>';
  const tiles: readonly (readonly [number, string])[] = [
    [counts.chargers, 'chargers registered'],
    [counts.connected, 'connected now'],
    [counts.sessions, 'sessions in progress'],
    [counts.messages, 'messages since the start'],
  ];
  const items = tiles.map(([count, label]) => `<div><dd>${count.toLocaleString('en')}</dd><dt>${label}</dt></div>`);
  return `<section aria-label="Live counts">
<dl class="tiles">
${items.join('\n')}
</dl>
<p class="note">All clients, refreshed every ${String(REFRESH_S)} seconds; shown only to a browser on this machine.</p>
</section>`;
}

/** A charging cable's bolt. */
const ICON =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Crect width=%2216%22 height=%2216%22 rx=%223%22 fill=%22%230b6e4f%22/%3E%3Cpath d=%22M9 2 4 9h3l-1 5 6-8H8z%22 fill=%22white%22/%3E%3C/svg%3E';
