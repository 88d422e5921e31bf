// Whether the process in this container is ready: /readyz of its internal port. Exit code 0 or 1, with the reason.
/* global AbortSignal, fetch */
const WITHIN_MS = 4_000;
/** All addresses of a machine: nothing answers there everywhere, loopback does. */
const LOOPBACK = { '0.0.0.0': '127.0.0.1', '::': '::1' };
const bound = process.env.INTERNAL_HOST || '127.0.0.1';
const host = LOOPBACK[bound] ?? bound;
const url = `http://${host.includes(':') ? `[${host}]` : host}:${process.env.INTERNAL_PORT || '9090'}/readyz`;

try {
  const { status } = await fetch(url, { signal: AbortSignal.timeout(WITHIN_MS) });
  if (status !== 200) fail(`answered ${String(status)}`);
} catch (error) {
  fail(error instanceof Error ? (error.cause?.code ?? error.message) : String(error));
}

function fail(reason) {
  console.error(`${url}: ${reason}`);
  process.exitCode = 1;
}
