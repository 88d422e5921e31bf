// Lints the OpenAPI documents in docs/api with Spectral and Redocly, without a network. A warning fails too.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import spectral from '@stoplight/spectral-core';
import parsers from '@stoplight/spectral-parsers';
import rulesets from '@stoplight/spectral-rulesets';
import { runProgram } from '../prepare.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'docs/api');
const documents = readdirSync(folder)
  .filter((name) => name.endsWith('.openapi.json'))
  .map((name) => join(folder, name));

const RULES = {
  extends: [[rulesets.oas, 'all']],
  rules: {
    // The project has no address and no site.
    'contact-properties': 'off',
    // OpenAPI 3.1 has an SPDX identifier in its place.
    'license-url': 'off',
    // They are in the order of their use.
    'openapi-tags-alphabetical': 'off',
  },
};

const linter = new spectral.Spectral();
linter.setRuleset(RULES);
let failed = false;
for (const file of documents) {
  const issues = await linter.run(new spectral.Document(readFileSync(file, 'utf8'), parsers.Json, file));
  for (const { code, path, message } of issues) console.log(`${file}: ${path.join('.')}: ${message} (${String(code)})`);
  failed ||= issues.length > 0;
}

process.env.REDOCLY_TELEMETRY = 'off';
process.env.REDOCLY_SUPPRESS_UPDATE_NOTICE = 'true';
const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js');
const config = join(root, 'tools/lint/redocly.yaml');
const code = await runProgram([process.execPath, redocly, 'lint', '--config', config, ...documents]);
process.exitCode = failed || code !== 0 ? 1 : 0;
