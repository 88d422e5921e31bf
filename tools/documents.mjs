// Writes the documents that are built from the code, or compares them with it (`--check`). Needs a build.
// Tests compare them with the code, so a change of a schema shows up in review.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { chartReadme } from './kubernetes/chart-readme.mjs';
import { valuesSchema } from './kubernetes/values-schema.mjs';
import { describeOcpp16 } from './ocpp16/document.mjs';
import { describeOcpp2 } from './ocpp2/document.mjs';
import { postmanCollection } from './postman.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** The file and what makes its content, from the built packages. */
const DOCUMENTS = {
  'docs/asyncapi.json': () => json(require(join(root, 'libs/contracts')).buildAsyncApi()),
  'docs/api/events.asyncapi.json': () => json(require(join(root, 'libs/contracts')).buildFeedAsyncApi()),
  'docs/api/v2.openapi.json': () => json(openApi('services/v2-api', 'v2Api')),
  'docs/api/v2.postman.json': () => json(postmanCollection(openApi('services/v2-api', 'v2Api'))),
  'docs/api/legacy.openapi.json': () => json(openApi('services/legacy-api', 'legacyApi')),
  'docs/ocpp-1.6.md': describeOcpp16,
  'docs/ocpp-2.md': describeOcpp2,
  'deploy/chart/busbar/values.schema.json': () => json(valuesSchema(specs())),
  'deploy/chart/busbar/README.md': () => format(chartReadme(specs()), 'markdown'),
  'deploy/env.example': () => require(join(root, 'services/all-in-one')).describeEnvironment(),
};

const [option] = process.argv.slice(2);
for (const [path, make] of Object.entries(DOCUMENTS)) {
  const file = join(root, path);
  const content = await make();
  if (option === '--check') compare(path, file, content);
  else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    console.log(path);
  }
}

/** For `--check`: names what is not as it would be written, and ends with 1. */
function compare(path, file, content) {
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return;
  console.error(`${path} is out of date: npm run documents writes it.`);
  process.exitCode = 1;
}

function openApi(service, definition) {
  return require(join(root, 'libs/api')).openApiDocument(require(join(root, service))[definition]);
}

function specs() {
  return require(join(root, 'services/all-in-one')).processSpecs;
}

function json(document) {
  return format(JSON.stringify(document, undefined, 2), 'json');
}

/** As the formatter leaves it, so that `npm run check` has nothing to say. */
async function format(text, parser) {
  const options = await prettier.resolveConfig(join(root, 'package.json'));
  return prettier.format(text, { ...options, parser });
}
