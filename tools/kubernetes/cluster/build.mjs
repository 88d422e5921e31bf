// Builds the program that is each part of Kubernetes, and the one that holds a pod's namespaces.
// `node tools/kubernetes/cluster/build.mjs` does it ahead of the tests.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../on-demand.mjs';
import { print } from '../../prepare.mjs';
import { buildOnce } from '../build-once.mjs';

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
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly' };
  const linker = `-ldflags=-s -w -X k8s.io/component-base/version.gitVersion=${version()}`;
  for (const [program, folder] of [
    ['kube', '.'],
    ['pause', './pause'],
  ]) {
    const flags = ['-trimpath', '-buildvcs=false', linker, '-o', join(directory, program)];
    const failed = await run(['nice', '-n', '15', go, 'build', ...flags, folder], HERE, { env, withinMs: BUILD_MS });
    if (failed !== undefined) return `go build ${folder}: ${failed}`;
  }
  return undefined;
}

/** Its parts give it as theirs, and clients compare it. */
function version() {
  return /^\s*k8s\.io\/kubernetes (v\S+)$/m.exec(readFileSync(join(HERE, 'go.mod'), 'utf8'))[1];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { directory, skipped, failed } = await buildKubernetes();
  if (directory === undefined) {
    print(skipped === undefined ? failed : `Without a Kubernetes: ${skipped} is needed.`);
    process.exitCode = 1;
  } else process.stdout.write(`${directory}\n`);
}
