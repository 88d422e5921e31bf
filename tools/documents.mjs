// Writes the documents that are built from the code: docs/asyncapi.json, docs/openapi-v2.json, docs/openapi-legacy.json.
// Tests compare them with the code, so a change of a schema shows up in review.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** The file and what makes its content, from the built packages. */
const DOCUMENTS = {
  'asyncapi.json': () => require(join(root, 'libs/contracts')).buildAsyncApi(),
};

mkdirSync(join(root, 'docs'), { recursive: true });
for (const [name, make] of Object.entries(DOCUMENTS)) {
  writeFileSync(join(root, 'docs', name), `${JSON.stringify(make(), undefined, 2)}\n`);
  console.log(`docs/${name}`);
}
