// Every file of values gives objects that Kubernetes takes, in its oldest and newest version, and gives the same ones again.
import { basename, join } from 'node:path';
import { helm, NEWEST, OLDEST, runTool, TOOLS, valueFiles } from './helm';

/** For kinds of clouds and operators whose definitions are in no module. */
const TRIMMED = join(__dirname, 'schemas');
const FILE = '{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json';

describe.each(valueFiles().map((file) => [basename(file), file] as const))('with %s', (_name, file) => {
  it('is accepted by helm lint --strict', () => {
    expect(helm('lint', file)).toMatchObject({ ok: true });
  });

  it('renders the same twice', () => {
    const first = helm('template', file);
    expect(first).toMatchObject({ ok: true });
    expect(helm('template', file).stdout).toBe(first.stdout);
  });

  it.each([OLDEST, NEWEST])('renders objects that fit the schemas of Kubernetes %s', (version) => {
    const { stdout } = helm('template', file, version);
    const folders = [`schemas/kubernetes-${version}`, 'schemas/definitions'].map((folder) => join(TOOLS, folder));
    const schemas = [...folders, TRIMMED].flatMap((folder) => ['-schema-location', join(folder, FILE)]);
    const outcome = runTool('kubeconform', ['-strict', '-summary', ...schemas], stdout);
    expect(outcome.stdout).toContain('Invalid: 0, Errors: 0, Skipped: 0');
    expect(outcome.stdout).not.toContain('Summary: 0 resources');
  });
});
