// Backups with damaged pages: a restore refuses them, or the store that it makes has all that was saved.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createDeadLetterStore } from '@busbar/store';
import { createRecordingLogger } from '@busbar/testing';
import { restoreDataFile } from './restore-data-file';
import { eachWithDataFolder, type DataFolder } from './testing/data-folder';

const PAGE_BYTES = 8_192;
const DOCUMENTS = 120;
const deps = { logger: createRecordingLogger(), clock: systemClock };
let folder: string;
let directory: string;
let backup: string;
let withStore: DataFolder['withStore'];
eachWithDataFolder(deps, (its) => ({ folder, directory, backup, withStore } = its));

/** Documents of a few bytes and of some pages, so that every kind of page is there. */
async function fill(): Promise<void> {
  await withStore(async (platform) => {
    const letters = createDeadLetterStore(platform.store);
    for (let n = 0; n < DOCUMENTS; n += 1) {
      const createdAt = new Date(n).toISOString();
      await platform.records.clients.insert({ clientId: `c${String(n)}`, name: 'n', openCharging: false, createdAt });
      if (n % 6 > 0) continue;
      const report = `${String(n)} `.repeat(8_000);
      const letter = { chargerId: 'A', action: 'MeterValues', reason: 'r', at: createdAt, report };
      await letters.insert({ deadLetterId: `d${String(n)}`, ...letter });
    }
    await platform.backup?.(backup);
  });
}

/** A summary of all stored documents. */
async function digest(): Promise<string> {
  return withStore(async (platform) => {
    const letters = await createDeadLetterStore(platform.store).list(1_000);
    const all = JSON.stringify([await platform.records.clients.list(), letters]);
    return createHash('sha256').update(all).digest('hex');
  });
}

async function overwrite(file: string, at: number, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.write(bytes, 0, bytes.length, at);
  } finally {
    await handle.close();
  }
}

/** One of each page of the backup in turn; `undefined` where the restore took it, or the damage leaves the page as it is. */
async function refusalsOf(damage: (page: Buffer) => Buffer, whole: Buffer): Promise<(string | undefined)[]> {
  const refusals: (string | undefined)[] = [];
  for (let at = 0; at < whole.length; at += PAGE_BYTES) {
    const page = whole.subarray(at, at + PAGE_BYTES);
    const damaged = damage(Buffer.from(page));
    if (damaged.equals(page)) {
      refusals.push(undefined);
      continue;
    }
    await writeFile(backup, whole);
    await overwrite(backup, at, damaged);
    const refusal = await restoreDataFile(directory, backup, deps).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    refusals.push(refusal);
    // Taken: then the page was one that holds nothing.
    if (refusal === undefined) expect(await digest()).toBe(expected);
  }
  return refusals;
}

let expected: string;

it.each([
  ['zeros', () => Buffer.alloc(PAGE_BYTES)],
  ['text', () => Buffer.alloc(PAGE_BYTES, 'damage ')],
  ['itself with its second half lost', (page: Buffer) => page.fill(0, PAGE_BYTES / 2)],
])(
  'refuses a backup without checksum where a page was replaced by %s, or nothing is missing',
  async (_what, damage) => {
    await fill();
    expected = await digest();
    await rm(`${backup}.sha256`, { force: true });
    const refusals = await refusalsOf(damage, await readFile(backup));
    expect(refusals.length).toBeGreaterThan(60);
    expect(refusals.filter((refusal) => refusal !== undefined).length).toBeGreaterThan(40);
    expect(await digest()).toBe(expected);
  },
  60_000,
);

it('refuses a backup with its checksum where any byte was changed, and leaves the data unchanged', async () => {
  await fill();
  expected = await digest();
  const whole = await readFile(backup);
  const refusals = await refusalsOf((page) => {
    page.writeUInt8(page.readUInt8(5_000) ^ 1, 5_000);
    return page;
  }, whole);
  for (const refusal of refusals) expect(refusal).toContain('does not match its checksum');
  expect(await digest()).toBe(expected);
});

it('makes a backup with its checksum beside it, which sha256sum verifies, and both are its owner’s alone', async () => {
  await fill();
  expect(execFileSync('sha256sum', ['-c', 'backup.db.sha256'], { cwd: folder, encoding: 'utf8' })).toBe(
    'backup.db: OK\n',
  );
  for (const file of [backup, `${backup}.sha256`]) expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('reports whether a restore verified a checksum', async () => {
  await fill();
  expect(await restoreDataFile(directory, backup, deps)).toEqual({ isVerified: true });
  await rm(`${backup}.sha256`);
  expect(await restoreDataFile(directory, backup, deps)).toEqual({ isVerified: false });
});

it('refuses a checksum file that holds no checksum by its name', async () => {
  await fill();
  await writeFile(`${backup}.sha256`, 'OK\n');
  await expect(restoreDataFile(directory, backup, deps)).rejects.toThrow(`${backup}.sha256 has no line of sha256sum`);
});

it('backs up no data file with a damaged page, and the error says so', async () => {
  await fill();
  const file = join(directory, 'busbar.db');
  const pages = (await stat(file)).size / PAGE_BYTES;
  await rm(backup);
  await rm(`${backup}.sha256`);
  const message = expect.stringMatching(/is damaged \(.*was not written/s) as string;
  await withStore(async (platform) => {
    // Below the running store, as a failing disk does it.
    for (let page = Math.floor(pages / 2); page < pages; page += 1) {
      await overwrite(file, page * PAGE_BYTES, Buffer.alloc(PAGE_BYTES, 'damage '));
    }
    await expect(platform.backup?.(backup)).rejects.toMatchObject({ message });
  });
  await expect(stat(backup)).rejects.toThrow('ENOENT');
});

it('replaces a file by a backup only with --force', async () => {
  await fill();
  await withStore(async (platform) => {
    await expect(platform.backup?.(backup)).rejects.toThrow(`${backup} exists: choose another name, or add --force`);
    await platform.backup?.(backup, { replace: true });
  });
  expect(await restoreDataFile(directory, backup, deps)).toEqual({ isVerified: true });
});
