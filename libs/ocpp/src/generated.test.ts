import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';

const root = join(__dirname, '../../..');

const VERSIONS = ['v16', 'v201', 'v21'];

describe('the generated validators', () => {
  it('is up to date, and is not written again for unchanged inputs', () => {
    expect(execFileSync(process.execPath, ['tools/generate.mjs'], { cwd: root, encoding: 'utf8' })).toBe('');
  });

  it('is self-contained', () => {
    const files = VERSIONS.flatMap((version) => ['validators.ts', 'sent-validators.ts'].map((name) => [version, name]));
    for (const [version = '', file = ''] of files) {
      const code = readFileSync(join(__dirname, version, 'generated', file), 'utf8');
      const imports = [...code.matchAll(/^import .* from '(.*)';$/gm)].map((match) => match[1]);
      expect(imports).toEqual(['../../compiled', '../../formats']);
      expect(code).not.toContain('require(');
    }
  });
});
