import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';

const root = join(__dirname, '../../..');

describe('the generated validators', () => {
  it('is up to date, and is not written again for unchanged inputs', () => {
    expect(execFileSync(process.execPath, ['tools/generate.mjs'], { cwd: root, encoding: 'utf8' })).toBe('');
  });

  it('is self-contained', () => {
    for (const file of ['validators.ts', 'sent-validators.ts']) {
      const code = readFileSync(join(__dirname, 'v16/generated', file), 'utf8');
      const imports = [...code.matchAll(/^import .* from '(.*)';$/gm)].map((match) => match[1]);
      expect(imports).toEqual(['../../compiled', '../../formats']);
      expect(code).not.toContain('require(');
    }
  });
});
