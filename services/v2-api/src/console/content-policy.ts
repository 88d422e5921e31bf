// The Content-Security-Policy of the console's pages: their own files, the API, and tiles of the map where there is one.
const DIRECTIVES: readonly (readonly [string, string])[] = [
  ['default-src', "'none'"],
  ['script-src', "'self'"],
  ['style-src', "'self'"],
  ['img-src', "'self' data:"],
  ['connect-src', "'self'"],
  ['form-action', "'none'"],
  ['base-uri', "'none'"],
  ['frame-ancestors', "'none'"],
  ['require-trusted-types-for', "'script'"],
];

/**
 * A template of tiles. The server's name may begin with `{s}.`, for which the map puts one letter. The lookaheads read at most
 * 500 characters each.
 */
export const TILES =
  /^https:\/\/(\{s\}\.)?([A-Za-z0-9.-]{1,253}(?::\d{1,5})?)\/(?=[^{]*(?:\{[xyzr]\}[^{]*)*$)(?=.*\{z\})(?=.*\{x\})(?=.*\{y\})[\x21-\x7e]{1,500}$/;

export function contentPolicy(tilesUrl: string | undefined): string {
  const source = tilesUrl === undefined ? undefined : tilesSource(tilesUrl);
  return DIRECTIVES.map(([name, sources]) => {
    return `${name} ${sources}${name === 'img-src' && source !== undefined ? ` ${source}` : ''}`;
  }).join('; ');
}

function tilesSource(template: string): string | undefined {
  const [, several, host] = TILES.exec(template) ?? [];
  return host === undefined ? undefined : `https://${several === undefined ? '' : '*.'}${host}`;
}
