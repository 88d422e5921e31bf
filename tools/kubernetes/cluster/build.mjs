// Builds the program that is each part of Kubernetes, and the one that holds a pod's namespaces.
// `node tools/kubernetes/cluster/build.mjs` does it ahead of the tests.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildGo, buildOnce, reportBuilt } from '../build-once.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const INPUTS = ['go.mod', 'go.sum', 'main.go', 'pause/main.go'];
/** Nine minutes of one processor, where nothing else runs. */
const BUILD_MS = 60 * 60_000;

/** `{directory}` with `kube` and `pause`; or `{skipped}`, what the machine lacks; or `{failed}`, how the build ended. */
export function buildKubernetes() {
  const announcement = 'Building Kubernetes, once: this takes ten minutes …';
  return buildOnce({ name: 'kubernetes', home: HERE, inputs: INPUTS, announcement, build });
}

async function build(go, directory) {
  const linker = `-X k8s.io/component-base/version.gitVersion=${version()}`;
  for (const [program, folder] of [
    ['kube', '.'],
    ['pause', './pause'],
  ]) {
    const built = { packages: [folder], output: join(directory, program) };
    const failed = await buildGo(go, { ...built, home: HERE, linker, withinMs: BUILD_MS });
    if (failed !== undefined) return failed;
  }
  return undefined;
}

/** Its parts give it as theirs, and clients compare it. */
function version() {
  return /^\s*k8s\.io\/kubernetes (v\S+)$/m.exec(readFileSync(join(HERE, 'go.mod'), 'utf8'))[1];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) reportBuilt('a Kubernetes', await buildKubernetes());
