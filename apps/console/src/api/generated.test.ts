// The types that the console is compiled with. `npm run documents -- --check` compares the document with what v2-api serves.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const TOOL = pathToFileURL(join(__dirname, '../../../../tools/console.mjs')).href;
const PRINT = `import { typesOfDocument } from '${TOOL}'; process.stdout.write(await typesOfDocument());`;

it('has the types of the OpenAPI document of v2', () => {
  const types = execFileSync(process.execPath, ['--input-type=module', '--eval', PRINT], { encoding: 'utf8' });
  // Its first line says of which document they were made.
  const [, ...lines] = readFileSync(join(__dirname, 'generated/v2.d.ts'), 'utf8').split('\n');
  expect(lines.join('\n')).toBe(types);
});
