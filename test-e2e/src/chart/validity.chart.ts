// Every file of values gives objects that Kubernetes takes, in its oldest version and the newest three, and gives the same ones again.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { CHART, helm, NEWEST, runTool, TESTED, TOOLS, valueFiles } from './helm';

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

describe.each(valueFiles().map((file) => [basename(file), file] as const))('with %s', (_name, file) => {
  it('is accepted by helm lint --strict', () => {
    expect(helm('lint', file)).toMatchObject({ ok: true });
  });

  it('renders the same twice', () => {
    const first = helm('template', file);
    expect(first).toMatchObject({ ok: true });
    expect(helm('template', file).stdout).toBe(first.stdout);
  });

  it.each(TESTED)('renders objects that fit the schemas of Kubernetes %s', (version) => {
    const { stdout } = helm('template', file, version);
    const folders = [`schemas/kubernetes-${version}`, 'schemas/definitions'].map((folder) => join(TOOLS, folder));
    const schemas = [...folders, TRIMMED].flatMap((folder) => ['-schema-location', join(folder, FILE)]);
    const outcome = runTool('kubeconform', ['-strict', '-summary', ...schemas], stdout);
    expect(outcome.stdout).toContain('Invalid: 0, Errors: 0, Skipped: 0');
    expect(outcome.stdout).not.toContain('Summary: 0 resources');
  });
});

/** `repository:tag` of each image of the values. */
function imagesIn(values: unknown): readonly string[] {
  if (typeof values !== 'object' || values === null) return [];
  const { repository, tag } = values as { readonly repository?: string; readonly tag?: string };
  if (repository !== undefined) return [`${repository}:${tag ?? ''}`];
  return Object.values(values).flatMap(imagesIn);
}
