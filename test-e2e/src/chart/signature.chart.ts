// That the chart can be packaged with a signature and verified by it, with a key of this test alone.
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHART, runTool, type Outcome } from './helm';
import { newKey } from './openpgp-key';

const NAME = 'Charts of a test <charts@example.com>';

describe('a package that helm has signed', () => {
  let directory: string;
  let file: string;

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-signed-'));
    const key = newKey(NAME);
    writeFileSync(join(directory, 'secret.gpg'), key.secret);
    writeFileSync(join(directory, 'public.gpg'), key.public);
    writeFileSync(join(directory, 'other.gpg'), newKey(NAME).public);
    const signing = ['--sign', '--key', NAME, '--keyring', join(directory, 'secret.gpg')];
    expect(packaged('signed', signing)).toMatchObject({ ok: true });
    file = readdirSync(join(directory, 'signed')).find((name) => name.endsWith('.tgz')) ?? '';
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  function packaged(folder: string, more: readonly string[] = []): Outcome {
    mkdirSync(join(directory, folder));
    return runTool('helm', ['package', CHART, '--destination', join(directory, folder), ...more]);
  }

  function verified(folder: string, keyring: string): Outcome {
    return runTool('helm', ['verify', join(directory, folder, file), '--keyring', join(directory, keyring)]);
  }

  it('is verified by the public key', () => {
    const { ok, stdout } = verified('signed', 'public.gpg');
    expect(ok).toBe(true);
    expect(stdout).toContain(`Signed by: ${NAME}`);
  });

  it('is refused with the key of somebody else', () => {
    expect(verified('signed', 'other.gpg').ok).toBe(false);
  });

  it('is refused when it was changed', () => {
    mkdirSync(join(directory, 'changed'));
    for (const name of [file, `${file}.prov`])
      copyFileSync(join(directory, 'signed', name), join(directory, 'changed', name));
    expect(verified('changed', 'public.gpg').ok).toBe(true);
    appendFileSync(join(directory, 'changed', file), ' ');
    const { ok, stderr } = verified('changed', 'public.gpg');
    expect(ok).toBe(false);
    expect(stderr).toContain('sha256 sum does not match');
  });

  it('is refused without its signature', () => {
    expect(packaged('unsigned')).toMatchObject({ ok: true });
    expect(verified('unsigned', 'public.gpg').ok).toBe(false);
  });
});
