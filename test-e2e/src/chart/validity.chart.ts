// Every file of values gives objects that Kubernetes takes, in its oldest version and the newest three, and gives the same ones again.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import {
  CHART,
  helm,
  NEWEST,
  OLDEST,
  render,
  runTool,
  TESTED,
  TOOLS,
  valueFiles,
  objectsIn,
  OPTIONAL_LINE,
  type Values,
} from './helm';

/** For kinds of clouds and operators whose definitions are in no module. */
const TRIMMED = join(__dirname, 'schemas');
const FILE = '{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json';

it('is packaged with all that it renders', () => {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-package-'));
  try {
    const { ok, stdout } = runTool('helm', ['package', CHART, '--destination', directory]);
    expect(ok).toBe(true);
    const [file = ''] = readdirSync(directory);
    expect(stdout).toContain(file);
    const values = join(CHART, 'ci/proxied-values.yaml');
    expect(helm('template', values, NEWEST, join(directory, file)).stdout).toBe(helm('template', values).stdout);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

it('names in Chart.yaml the images of its values, but for its own', () => {
  const { annotations } = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as {
    annotations: Record<string, string>;
  };
  const images = parse(annotations['artifacthub.io/images'] ?? '') as readonly { image: string }[];
  const values = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8'), { merge: true }) as Record<string, unknown>;
  const others = imagesIn(values).filter((image) => image !== 'busbar:');
  expect(images.map(({ image }) => image).toSorted()).toEqual([...new Set(others)].toSorted());
});

it('renders from the values alone: nothing of a cluster, by chance or by the clock', () => {
  const folder = join(CHART, 'templates');
  const impure =
    /\b(?:lookup|rand\w*|now|genCA|genSignedCert|genSelfSignedCert|genPrivateKey|uuidv4|htpasswd|bcrypt|getHostByName)\b/;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:yaml|tpl)$/.test(name)) continue;
    const text = readFileSync(join(folder, name), 'utf8').replaceAll(/\{\{-? *\/\*[\s\S]*?\*\/ *-?\}\}/g, '');
    const actions = [...text.matchAll(/\{\{([\s\S]*?)\}\}/g)].map(([, action = '']) =>
      action.replaceAll(/"[^"]*"/g, '""'),
    );
    expect({ name, impure: actions.filter((action) => impure.test(action)) }).toEqual({ name, impure: [] });
    const capabilities = actions.join('\n').match(/\.Capabilities\.\w+/g) ?? [];
    expect(capabilities.filter((each) => !/\.(?:KubeVersion|APIVersions)$/.test(each))).toEqual([]);
  }
});

it.each([
  ['argocd.yaml', ['spec', 'source', 'helm', 'valuesObject']],
  ['flux.yaml', ['spec', 'values']],
])('renders the values in examples/gitops/%s', (name, path) => {
  const documents = objectsIn(readFileSync(join(CHART, 'examples/gitops', name), 'utf8'));
  const values = documents
    .map((document) => path.reduce<unknown>(fieldOf, document))
    .find((found) => found !== undefined);
  expect(render(values as Values).length).toBeGreaterThan(10);
});

it('says of each trimmed schema which version it was trimmed from', () => {
  const files = readdirSync(TRIMMED, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  expect(files).not.toEqual([]);
  for (const file of files) {
    expect(readFileSync(join(TRIMMED, file), 'utf8')).toMatch(/"\$comment": ".* as of \S+@[0-9a-f]{12}, trimmed: /);
  }
});

it('gives objects in README.md that fit the schemas of every Kubernetes it is tested with', () => {
  const text = readFileSync(join(CHART, 'README.md'), 'utf8');
  const objects = [...text.matchAll(/```yaml\n(apiVersion: [\s\S]*?)```/g)].map(([, yaml = '']) => yaml);
  expect(objects.map((object) => /^kind: (.*)$/m.exec(object)?.[1])).toEqual(['Job', 'Job', 'PodMonitor']);
  const withOptionalLines = objects.map((object) => object.replaceAll(OPTIONAL_LINE, '$1'));
  expect(withOptionalLines).not.toEqual(objects);
  for (const version of TESTED) {
    const summary = conforms([...objects, ...withOptionalLines].join('---\n'), version);
    expect(summary).toContain('Invalid: 0, Errors: 0, Skipped: 0');
  }
});

describe.each(valueFiles().map((file) => [basename(file), file] as const))('with %s', (_name, file) => {
  it.each([OLDEST, NEWEST])('is accepted by helm lint --strict for Kubernetes %s', (version) => {
    expect(helm('lint', file, version)).toMatchObject({ ok: true });
  });

  it.each([OLDEST, NEWEST])('renders the same twice for Kubernetes %s', (version) => {
    const first = helm('template', file, version);
    expect(first).toMatchObject({ ok: true });
    expect(helm('template', file, version).stdout).toBe(first.stdout);
  });

  it.each(TESTED)('renders objects that fit the schemas of Kubernetes %s', (version) => {
    const { stdout } = helm('template', file, version);
    const summary = conforms(stdout, version);
    expect(summary).toContain('Invalid: 0, Errors: 0, Skipped: 0');
    expect(summary).not.toContain('Summary: 0 resources');
  });
});

/** Returns the result of kubeconform for these objects in a version of Kubernetes. */
function conforms(objects: string, version: string): string {
  const folders = [`schemas/kubernetes-${version}`, 'schemas/definitions'].map((folder) => join(TOOLS, folder));
  const schemas = [...folders, TRIMMED].flatMap((folder) => ['-schema-location', join(folder, FILE)]);
  return runTool('kubeconform', ['-strict', '-summary', ...schemas], objects).stdout;
}

function fieldOf(value: unknown, field: string): unknown {
  return (value as Readonly<Record<string, unknown>> | undefined)?.[field];
}

/** `repository:tag` of each image of the values. */
function imagesIn(values: unknown): readonly string[] {
  if (typeof values !== 'object' || values === null) return [];
  const { repository, tag } = values as { readonly repository?: string; readonly tag?: string };
  if (repository !== undefined) return [`${repository}:${tag ?? ''}`];
  return Object.values(values).flatMap(imagesIn);
}
