// The programs and schemas that the tests of the chart use. `node tools/kubernetes/install.mjs` builds them ahead of the tests and
// prints their folder.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonMisses, run } from '../on-demand.mjs';
import { prepare, root } from '../prepare.mjs';
import { buildGo, buildOnce, NICE, reportBuilt } from './build-once.mjs';

const HOME = join(root, 'tools/kubernetes');
/** The files that fix the content of the cache. */
const INPUTS = ['go.sum', 'kube-score/go.sum', 'validate-requirements.txt', 'versions.json', 'schemas.mjs'];
/** Helm alone takes four minutes of processor time. */
const BUILD_MS = 45 * 60_000;
/** kube-score is a module of its own: it needs an older Kubernetes library than Helm. */
const PROGRAMS = [
  { folder: HOME, packages: ['helm.sh/helm/v3/cmd/helm', 'github.com/yannh/kubeconform/cmd/kubeconform'] },
  { folder: join(HOME, 'kube-score'), packages: ['github.com/zegl/kube-score/cmd/kube-score'] },
];

/**
 * `{directory}` with `helm`, `kubeconform`, `kube-score`, `schemas/` and `python/` (kubernetes-validate); or `{skipped}`, what the machine lacks; or `{failed}`,
 * how the build ended.
 */
export function installKubernetesTools() {
  const announcement = 'Building helm, kubeconform and kube-score, once: this takes some minutes …';
  const build = async (go, directory) =>
    (await buildPrograms(go, directory)) ?? (await writeSchemas(go, directory)) ?? (await installValidator(directory));
  const inputs = INPUTS;
  return buildOnce({ name: 'kubernetes-tools', home: HOME, inputs, announcement, build, misses: pythonMisses });
}

async function buildPrograms(go, directory) {
  for (const { folder, packages } of PROGRAMS) {
    const failed = await buildGo(go, { home: folder, packages, output: `${directory}/`, withinMs: BUILD_MS });
    if (failed !== undefined) return failed;
  }
  return undefined;
}

/** Into a folder for PYTHONPATH: the programs of a virtual environment do not survive that the folder is renamed. */
async function installValidator(directory) {
  const requirements = join(HOME, 'validate-requirements.txt');
  for (const command of [
    ['python3', '-m', 'venv', '.venv'],
    ['.venv/bin/pip', 'install', '--quiet', '--target', 'python', '--requirement', requirements],
  ]) {
    const failed = await run([...NICE, ...command], directory);
    if (failed !== undefined) return `${command.join(' ')}: ${failed}`;
  }
  rmSync(join(directory, '.venv'), { recursive: true, force: true });
  return undefined;
}

/** The modules are large and nothing else of them is used: they are downloaded into a folder that is deleted. */
async function writeSchemas(go, directory) {
  const modules = join(directory, 'modules');
  const env = { ...process.env, GOMODCACHE: modules, GOFLAGS: '-modcacherw' };
  // Reads YAML with an installed package; this file runs before any is.
  const { writeSchemasOfDefinitions, writeSchemasOfOpenApi } = await import('./schemas.mjs');
  const { documents } = JSON.parse(readFileSync(join(HOME, 'versions.json'), 'utf8'));
  for (const { module, sum, openApi, definitions = [], folder } of documents) {
    const failed = await run([...NICE, go, 'mod', 'download', module], directory, { env, withinMs: BUILD_MS });
    if (failed !== undefined) return `go mod download ${module}: ${failed}`;
    const [path, version] = module.split('@');
    const found = readFileSync(join(modules, 'cache/download', path, '@v', `${version}.ziphash`), 'utf8').trim();
    if (found !== sum) return `${module} has the checksum ${found}, not ${sum}`;
    const target = join(directory, 'schemas', folder);
    if (openApi !== undefined) writeSchemasOfOpenApi(join(modules, module, openApi), target);
    for (const source of definitions) writeSchemasOfDefinitions(join(modules, module, source), target);
  }
  rmSync(modules, { recursive: true, force: true });
  return undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await prepare({ buildToo: false });
  reportBuilt('the Kubernetes tools', await installKubernetesTools());
}
