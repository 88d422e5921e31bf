// Installs the receivers of webhooks in examples/ for their tests, each with the library of its language from its registry, into a cache of
// their own. Prints `[{name, folder, command, skipped?, failed?}]`: `skipped` says what the machine lacks, `failed` how the installation
// ended.
import { join } from 'node:path';
import { findGo } from './kubernetes/go.mjs';
import { installOnDemand, PYTHON_INSTALL, pythonMisses } from './on-demand.mjs';
import { root } from './prepare.mjs';

const EXAMPLES = join(root, 'examples');
const CACHE = join(root, 'node_modules/.cache/busbar-receivers');

/** Runs on the packages of the checkout, which have the version that its package.json names. */
const typescript = {
  name: 'TypeScript',
  folder: join(EXAMPLES, 'typescript'),
  command: [process.execPath, '--import', import.meta.resolve('tsx'), 'receive-webhooks.ts'],
};

async function installPython() {
  const directory = join(CACHE, 'python');
  const outcome = await installOnDemand({
    title: 'the library of the receiver in Python',
    source: join(EXAMPLES, 'python'),
    directory,
    misses: pythonMisses,
    locked: 'requirements.txt',
    install: PYTHON_INSTALL,
  });
  const command = [join(directory, '.venv/bin/python'), 'receive_webhooks.py'];
  return { name: 'Python', folder: directory, command, ...outcome };
}

async function installGo() {
  const directory = join(CACHE, 'go');
  const { program = 'go', skipped, failed } = await findGo();
  const outcome = await installOnDemand({
    title: 'the library of the receiver in Go',
    source: join(EXAMPLES, 'go'),
    directory,
    misses: () => skipped ?? failed,
    locked: 'go.sum',
    install: [],
    build: [program, 'build', '-o', 'receiver', '.'],
  });
  return { name: 'Go', folder: directory, command: [join(directory, 'receiver')], ...outcome };
}

process.stdout.write(JSON.stringify([typescript, await installPython(), await installGo()]));
