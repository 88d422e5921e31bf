// Builds the program that is each part of Kubernetes, and the one that holds a pod's namespaces: once for all checkouts of this
// user, into a folder that is named by what fixes their content. `node tools/kubernetes/cluster/build.mjs` does it ahead of the tests.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../on-demand.mjs';
import { tell } from '../../prepare.mjs';
import { cacheFolder, findGo } from '../go.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const INPUTS = ['go.mod', 'go.sum', 'main.go', 'pause/main.go'];
/** Nine minutes of one processor, where nothing else runs. */
const BUILD_MS = 60 * 60_000;

/** `{directory}` with `kube` and `pause`; or `{skipped}`, what the machine lacks; or `{failed}`, how the build ended. */
export async function buildKubernetes() {
  const hash = createHash('sha256');
  for (const input of INPUTS) hash.update(readFileSync(join(HERE, input)));
  const directory = join(cacheFolder(), `kubernetes-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(directory)) return { directory };
  const { program: go, ...missing } = await findGo();
  if (go === undefined) return missing;
  tell('Building Kubernetes, once: this takes ten minutes …');
  const unfinished = `${directory}.${String(process.pid)}`;
  mkdirSync(unfinished, { recursive: true });
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly' };
  try {
    for (const [program, folder] of [
      ['kube', '.'],
      ['pause', './pause'],
    ]) {
      const flags = [
        '-trimpath',
        '-buildvcs=false',
        `-ldflags=-s -w -X k8s.io/component-base/version.gitVersion=${version()}`,
      ];
      const command = ['nice', '-n', '15', go, 'build', ...flags, '-o', join(unfinished, program), folder];
      const failed = await run(command, HERE, { env, withinMs: BUILD_MS });
      if (failed !== undefined) return { failed: `go build ${folder}: ${failed}` };
    }
    // Another process may have been faster.
    if (!existsSync(directory)) renameSync(unfinished, directory);
    return { directory };
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Its parts give it as theirs, and clients compare it. */
function version() {
  return /^\s*k8s\.io\/kubernetes (v\S+)$/m.exec(readFileSync(join(HERE, 'go.mod'), 'utf8'))[1];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { directory, skipped, failed } = await buildKubernetes();
  if (directory === undefined) {
    tell(skipped === undefined ? failed : `Without a Kubernetes: ${skipped} is needed.`);
    process.exitCode = 1;
  } else process.stdout.write(`${directory}\n`);
}
