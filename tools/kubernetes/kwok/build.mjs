// Builds kwok, which plays nodes and their pods for an API server. `node tools/kubernetes/kwok/build.mjs` does it ahead of the tests.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { output } from '../../on-demand.mjs';
import { buildGo, buildOnce, reportBuilt } from '../build-once.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const MODULE = 'sigs.k8s.io/kwok';
/** The behaviour of nodes and pods, and its speed: without them they would do nothing. */
const STAGES = ['node/fast', 'node/heartbeat', 'pod/fast'].map((stage) => `kustomize/stage/${stage}`);
/** Three minutes of one processor, where nothing else runs. */
const BUILD_MS = 30 * 60_000;

/** `{directory}` with `kwok` and `stages.yaml`; or `{skipped}`, what the machine lacks; or `{failed}`, how the build ended. */
export function buildKwok() {
  const announcement = 'Building kwok, once: this takes some minutes …';
  return buildOnce({ name: 'kwok', home: HERE, inputs: ['go.mod', 'go.sum', 'build.mjs'], announcement, build });
}

async function build(go, directory) {
  const program = { packages: [`${MODULE}/cmd/kwok`], output: join(directory, 'kwok') };
  const failed = await buildGo(go, { ...program, home: HERE, withinMs: BUILD_MS });
  if (failed !== undefined) return failed;
  const source = output(go, ['-C', HERE, 'list', '-m', '-f', '{{.Dir}}', MODULE]);
  const files = STAGES.flatMap((stage) => stagesIn(join(source, stage)));
  if (files.length === 0) return `${MODULE} has no stages in ${STAGES.join(' and ')}`;
  writeFileSync(join(directory, 'stages.yaml'), files.map((file) => readFileSync(file, 'utf8')).join('\n---\n'));
  return undefined;
}

function stagesIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .map((name) => join(folder, name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) reportBuilt('kwok', await buildKwok());
