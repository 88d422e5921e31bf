// Renders the chart with Helm, and reads what it rendered. `npm run test:chart` says where the programs are.
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';

export const CHART = join(__dirname, '../../../deploy/chart/busbar');
export const TOOLS = process.env['KUBERNETES_TOOLS'] ?? '';
/** The oldest Kubernetes that the chart supports, and the newest that it is tested with. */
export const OLDEST = '1.30';
export const NEWEST = '1.37';
/** The oldest, and the newest three. */
export const TESTED = [OLDEST, '1.35', '1.36', NEWEST];
export const RELEASE = 'charge';
export const NAMESPACE = 'charging';

const OUTPUT_BYTES = 64 * 1024 * 1024;
const WITHIN_MS = 60_000;

/** An object of Kubernetes, as far as every object is alike. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

export interface Outcome {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export type Values = Readonly<Record<string, unknown>>;

/** In an object of the README: a line that is used where the values ask for it, before its indentation. */
export const OPTIONAL_LINE = /^( *)# (?=- | {2}\w)/gm;

/** The least that mode services needs. */
export const LEAST: Values = {
  broker: { existingSecret: { name: 'broker' } },
  store: { existingSecret: { name: 'store' } },
  ingress: { trustedProxies: ['10.244.0.0/16'] },
};

/** Runs one of the built programs. Throws when it cannot be started. */
export function runTool(name: string, args: readonly string[], input = ''): Outcome {
  const { status, stdout, stderr, error } = spawnSync(join(TOOLS, name), args, {
    encoding: 'utf8',
    input,
    maxBuffer: OUTPUT_BYTES,
    timeout: WITHIN_MS,
  });
  if (error !== undefined) throw error;
  return { ok: status === 0, stdout, stderr };
}

/** `helm COMMAND` on the chart, or a package of it, with the values of a file, or with these on top of nothing. */
export function helm(
  command: 'lint' | 'template',
  values: string | Values,
  kubernetes = NEWEST,
  chart = CHART,
): Outcome {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-chart-'));
  try {
    const file = typeof values === 'string' ? values : join(directory, 'values.yaml');
    if (typeof values !== 'string') writeFileSync(file, stringify(values));
    const given = [...valuesOf(file), '--kube-version', `${kubernetes}.0`, '--namespace', NAMESPACE];
    return runTool(
      'helm',
      command === 'lint' ? ['lint', '--strict', chart, ...given] : ['template', RELEASE, chart, ...given],
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * `helm install` with these values, of a cluster whose API server is at this URL. The program waits for answers of this process, so it must
 * not be awaited by a call that blocks. `home`: an empty folder for what Helm keeps.
 */
export async function installInto(url: string, home: string, values: Values): Promise<Outcome> {
  writeFileSync(join(home, 'values.yaml'), stringify(values));
  const server = { name: 'cluster', cluster: { server: url } };
  const context = { name: 'cluster', context: { cluster: 'cluster', user: '' } };
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [server],
    contexts: [context],
    'current-context': 'cluster',
  };
  writeFileSync(join(home, 'kubeconfig'), stringify(kubeconfig));
  const args = ['install', RELEASE, CHART, '--values', join(home, 'values.yaml'), '--namespace', NAMESPACE];
  const env = { PATH: process.env['PATH'], HOME: home, KUBECONFIG: join(home, 'kubeconfig') };
  return new Promise((resolve) => {
    execFile(join(TOOLS, 'helm'), args, { env, timeout: WITHIN_MS, encoding: 'utf8' }, (error, stdout, stderr) => {
      resolve({ ok: error === null, stdout, stderr });
    });
  });
}

/** The file, and the values that its comment requires beside it. */
function valuesOf(file: string): readonly string[] {
  const password = file.endsWith('examples/kind.yaml') ? ['--set', 'tryOut.password=of-one-cluster-only'] : [];
  return ['--values', file, ...password];
}

/** The objects of the chart with these values. Throws Helm's error when it refuses them. */
export function render(values: string | Values, kubernetes = NEWEST): readonly KubernetesObject[] {
  const { ok, stdout, stderr } = helm('template', values, kubernetes);
  if (!ok) throw new Error(stderr);
  return objectsIn(stdout);
}

/**
 * Returns what `helm install` prints with these values. Only a cluster shows it: here it is rendered as an object of a
 * copy of the chart.
 */
export function notes(values: string | Values): string {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-notes-'));
  try {
    cpSync(CHART, directory, { recursive: true });
    const text = readFileSync(join(directory, 'templates/NOTES.txt'), 'utf8');
    writeFileSync(join(directory, 'templates/_notes.tpl'), `{{- define "notes" -}}${text}{{- end -}}`);
    writeFileSync(join(directory, 'templates/notes.yaml'), 'kind: Notes\ntext: {{ include "notes" . | toJson }}\n');
    const { ok, stdout, stderr } = helm('template', values, NEWEST, directory);
    if (!ok) throw new Error(stderr);
    return String(objectsIn(stdout).find(({ kind }) => kind === 'Notes')?.['text']);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The objects of a backup by mongodump alone: it is refused beside the MongoDB of `tryOut`. */
export function renderMongodump(more: Values): readonly KubernetesObject[] {
  const mongodump = { enabled: true, existingSecret: { name: 'mongodump' } };
  return render(minimalValues({ backup: { mongodump }, ...more })).filter(({ metadata }) =>
    metadata.name.endsWith('-mongodump'),
  );
}

export function objectsIn(text: string): readonly KubernetesObject[] {
  return parseAllDocuments(text, { version: '1.1' })
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
}

/** The files of values that are rendered whole: those for tests, and the examples for people. */
export function valueFiles(): readonly string[] {
  return ['ci', 'examples'].flatMap((folder) =>
    readdirSync(join(CHART, folder))
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => join(CHART, folder, name)),
  );
}

/** Values on top of the minimalValues, merged as Helm merges them: maps by key, everything else replaced. */
export function minimalValues(more: Values): Values {
  return merge(LEAST, more);
}

function merge(base: Values, more: Values): Values {
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(more)) {
    const old = result[key];
    result[key] = isMap(old) && isMap(value) ? merge(old, value) : value;
  }
  return result;
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
