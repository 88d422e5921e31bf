// The fuzzer of the HTTP interfaces, of PyPI: installed into a cache of its own when `npm run test:fuzz` is run.
import { join } from 'node:path';
import { installOnDemand, PYTHON_INSTALL, pythonMisses } from './on-demand.mjs';
import { root } from './prepare.mjs';

/** `{program}`, or `{skipped}`: what it would need, or how its installation failed. */
export async function installSchemathesis() {
  const directory = join(root, 'node_modules/.cache/busbar-schemathesis');
  const { skipped, failed } = await installOnDemand({
    title: 'schemathesis, the fuzzer of the HTTP interfaces',
    source: join(root, 'test-e2e/schemathesis'),
    directory,
    misses: pythonMisses,
    locked: 'requirements.txt',
    install: PYTHON_INSTALL,
  });
  const reason = skipped ?? failed;
  return reason === undefined ? { program: join(directory, '.venv/bin/schemathesis') } : { skipped: reason };
}
