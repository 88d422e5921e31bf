// Whether the process in this container is ready: /readyz of its internal port. Exit code 0 or 1, with the reason.
/* global AbortSignal, fetch */
const WITHIN_MS = 4_000;
const url = `http://127.0.0.1:${process.env.INTERNAL_PORT ?? '9090'}/readyz`;

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
