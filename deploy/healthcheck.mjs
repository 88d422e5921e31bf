// Reports whether the process in this container is ready, by /readyz of its internal port. Exit code 0 or 1, with the
// reason.
/* global AbortSignal, fetch */
const WITHIN_MS = 4_000;
/** All addresses of a machine: nothing answers there everywhere, loopback does. */
const LOOPBACK = { '0.0.0.0': '127.0.0.1', '::': '::1' };
const bound = process.env.INTERNAL_HOST || '127.0.0.1';
const host = LOOPBACK[bound] ?? bound;
const url = `http://${host.includes(':') ? `[${host}]` : host}:${process.env.INTERNAL_PORT || '9090'}/readyz`;

try {
  const response = await fetch(url, { signal: AbortSignal.timeout(WITHIN_MS) });
  if (response.status !== 200) fail(`responded ${String(response.status)}${await failingChecks(response)}`);
} catch (error) {
  fail(error instanceof Error ? (error.cause?.code ?? error.message) : String(error));
}

/** Returns the lines of `/readyz` about the required checks that fail. */
async function failingChecks(response) {
  const { checks = [] } = await response.json().catch(() => ({}));
  const failing = checks.filter(({ ok, required }) => required && !ok);
  return failing.map(({ name, since, detail }) => `; ${name} since ${since}: ${detail}`).join('');
}

function fail(reason) {
  console.error(`${url}: ${reason}`);
  process.exitCode = 1;
}
