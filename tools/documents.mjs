// Writes the documents that are built from the code. Needs a build.
// Tests compare them with the code, so a change of a schema shows up in review.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { describeOcpp16 } from './ocpp16/document.mjs';
import { postmanCollection } from './postman.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** The file and what makes its content, from the built packages. */
const DOCUMENTS = {
  'docs/asyncapi.json': () => json(require(join(root, 'libs/contracts')).buildAsyncApi()),
  'docs/api/v2.openapi.json': () => json(openApi('services/v2-api', 'v2Api')),
  'docs/api/v2.postman.json': () => json(postmanCollection(openApi('services/v2-api', 'v2Api'))),
  'docs/api/legacy.openapi.json': () => json(openApi('services/legacy-api', 'legacyApi')),
  'docs/ocpp-1.6.md': describeOcpp16,
  'deploy/env.example': () => require(join(root, 'services/all-in-one')).describeEnvironment(),
};

for (const [path, make] of Object.entries(DOCUMENTS)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), await make());
  console.log(path);
}

function openApi(service, definition) {
  return require(join(root, 'libs/api')).describeApi(require(join(root, service))[definition]);
}

/** As the formatter leaves it, so that `npm run check` has nothing to say. */
async function json(document) {
  const options = await prettier.resolveConfig(join(root, 'package.json'));
  return prettier.format(JSON.stringify(document, undefined, 2), { ...options, parser: 'json' });
}
