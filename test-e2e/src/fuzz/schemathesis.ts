// schemathesis, of PyPI: requests made from an OpenAPI document, right and wrong ones, each answer compared with the document.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGuard } from '@busbar/testing';

/** As `tools/schemathesis.mjs` has installed it, or could not. */
export interface Schemathesis {
  readonly program?: string;
  readonly skipped?: string;
}

export interface FuzzedApi {
  /** The URL of its document. */
  readonly url: string;
  /** The keys, by security scheme. */
  readonly keys: Readonly<Record<string, string>>;
}

export interface Round {
  readonly forS: number;
  readonly seed: number;
  /** Parameters of the path that are not made up: `{chargerId: 'ACME_1'}`. */
  readonly fixed: Readonly<Record<string, string | number>>;
  readonly options: readonly string[];
}

export interface RoundOutcome {
  readonly code: number | null;
  /** Its complete output, at its end. */
  readonly output: string;
}

const OUTPUT_CAP = 50_000;
/** To load the document, and to shrink what it found, which is not part of its time. */
const SLACK_MS = 120_000;

/**
 * Not asked: that whatever fits the schema is accepted. Rules between fields, and with what is stored, are refused with 400
 * or 412 too. A response of 502 or 504 reports the outcome of a command at the charger. Of `/chargers/state-time-series` a
 * charger of that name could still be changed or deleted, which `Allow` says.
 */
const CONFIGURATION = `
checks.positive_data_acceptance.enabled = false
checks.negative_data_rejection.expected-statuses = ["400", "401", "403", "404", "405", "409", "412", "413", "415"]
checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "502", "504"]

[[operations]]
include-path = "/v2/chargers/state-time-series"
checks.allow_header_conformance.enabled = false
`;

/** Returns the installation that the runner has given; throws where the tests were not started through it. */
export function installedSchemathesis(): Schemathesis {
  const given = process.env['SCHEMATHESIS'];
  if (given === undefined) throw new Error('This test needs schemathesis installed: npm run test:fuzz does that.');
  return JSON.parse(given) as Schemathesis;
}

/** One run over all operations of a document. Resolves with its exit code: 0 when it found nothing. */
export async function runSchemathesis(program: string, api: FuzzedApi, round: Round): Promise<RoundOutcome> {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-schemathesis-'));
  try {
    const file = join(directory, 'schemathesis.toml');
    writeFileSync(file, configurationOf(api, round));
    const command = ['--config-file', file, 'run', api.url, '--tls-verify', 'false', '--continue-on-failure'];
    const bounds = ['--max-time', String(round.forS), '--seed', String(round.seed), '--no-color', '--warnings', 'off'];
    return await run(program, [...command, ...bounds, ...round.options], {
      cwd: directory,
      timeoutMs: round.forS * 1000 + SLACK_MS,
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function configurationOf({ keys }: FuzzedApi, { fixed }: Round): string {
  const schemes = Object.entries(keys).map(([name, key]) => `[auth.openapi.${name}]\napi_key = ${JSON.stringify(key)}`);
  const parameters = Object.entries(fixed).map(([name, value]) => `"path.${name}" = ${JSON.stringify(value)}`);
  return [CONFIGURATION.trim(), ...schemes, '[parameters]', ...parameters, ''].join('\n');
}

function run(
  program: string,
  args: readonly string[],
  { cwd, timeoutMs }: { readonly cwd: string; readonly timeoutMs: number },
): Promise<RoundOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs, detached: true });
    // A test run that is interrupted leaves nothing behind.
    const guard = createGuard('busbar-schemathesis');
    if (child.pid !== undefined) guard.watch('schemathesis', child.pid);
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-OUTPUT_CAP);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (code) => {
      guard.forget('schemathesis');
      void guard.release();
      resolve({ code, output });
    });
  });
}
