import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, systemClock, type Service } from '@busbar/core';
import type { Records } from '@busbar/domain';
import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import { createAdminServer } from './admin/admin-server';
import { backupEvery, firstDueMs, intervalOf, nameOf, type BackupEvent } from './backup-every';

const HOUR_MS = 60 * 60 * 1000;

describe('backups at an interval', () => {
  let data: string;
  let directory: string;
  let server: Service | undefined;
  let isBroken: boolean;
  const clock = createFakeClock();

  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'busbar-data-'));
    directory = mkdtempSync(join(tmpdir(), 'busbar-backups-'));
    isBroken = false;
  });
  afterEach(async () => {
    await server?.stop();
    for (const each of [data, directory]) rmSync(each, { recursive: true });
  });

  /** The running process, which writes a backup as the store does: the file and its checksum. */
  async function startProcess(): Promise<void> {
    const backup = (file: string): Promise<void> => {
      if (isBroken) return Promise.reject(new AppError('unavailable', 'The disk is full.'));
      for (const each of [file, `${file}.sha256`]) writeFileSync(each, 'x');
      return Promise.resolve();
    };
    const context = { records: {} as Records, clock: systemClock, backup };
    server = createAdminServer({ directory: data, logger: createRecordingLogger(), context });
    await server.start();
  }

  /** Runs for some time of the clock. `meanwhile` is called before each wait. */
  async function runFor(ms: number, keep = 3, meanwhile: () => void | Promise<void> = () => undefined) {
    const events: BackupEvent[] = [];
    const abort = new AbortController();
    const endMs = clock.now().getTime() + ms;
    await backupEvery({
      dataDirectory: data,
      directory,
      everyMs: 6 * HOUR_MS,
      keep,
      clock,
      signal: abort.signal,
      report: (event) => events.push(event),
      async wait(waitMs) {
        await meanwhile();
        if (clock.now().getTime() + waitMs > endMs) abort.abort();
        else clock.advance(waitMs);
      },
    });
    return events;
  }

  const files = (): readonly string[] => readdirSync(directory).sort();
  const backups = (): readonly string[] => files().filter((name) => name.endsWith('.db'));

  it('makes backups at once and at each interval, with their checksums, and keeps the newest', async () => {
    await startProcess();
    const beganAt = clock.now().getTime();
    const events = await runFor(25 * HOUR_MS);
    const made = [0, 6, 12, 18, 24].map((hours) => nameOf(new Date(beganAt + hours * HOUR_MS)));
    expect(events.map((event) => event.kind === 'saved' && event.file)).toEqual(
      made.map((name) => join(directory, name)),
    );
    expect(events.map((event) => event.kind === 'saved' && event.deleted)).toEqual([[], [], [], [made[0]], [made[1]]]);
    expect(files()).toEqual(made.slice(2).flatMap((name) => [name, `${name}.sha256`]));
  });

  it('waits for the interval where there is a younger one', async () => {
    await startProcess();
    await runFor(HOUR_MS);
    expect(await runFor(4 * HOUR_MS)).toEqual([]);
    expect(await runFor(2 * HOUR_MS)).toHaveLength(1);
  });

  it('deletes nothing that another made', async () => {
    await startProcess();
    const foreign = ['busbar.db', 'busbar-every-2020.db', 'notes.txt', 'x-busbar-every-2020-01-01T00-00-00Z.db'];
    for (const name of foreign) writeFileSync(join(directory, name), 'mine');
    const target = join(data, 'elsewhere');
    writeFileSync(target, 'mine');
    const link = 'busbar-every-2020-01-01T00-00-00Z.db';
    symlinkSync(target, join(directory, link));
    await runFor(20 * HOUR_MS, 1);
    expect(files()).toEqual(expect.arrayContaining([...foreign, link]));
    // The new one alone: three of the foreign ones and the link end so too.
    expect(backups()).toHaveLength(5);
    expect(existsSync(target)).toBe(true);
  });

  it('deletes what a killed process left of an earlier one', async () => {
    await startProcess();
    const left = ['.db.unfinished', '.db.sha256.unfinished'].map((end) => `busbar-every-2020-01-01T00-00-00Z${end}`);
    for (const name of left) writeFileSync(join(directory, name), 'half');
    await runFor(HOUR_MS);
    expect(files()).toHaveLength(2);
  });

  it('keeps the one just made, also where the time of day was set back', async () => {
    await startProcess();
    const later = nameOf(new Date(clock.now().getTime() + 1000 * HOUR_MS));
    writeFileSync(join(directory, later), 'x');
    const [event] = await runFor(HOUR_MS, 1);
    expect(event).toMatchObject({ kind: 'saved', deleted: [later] });
    expect(backups()).toHaveLength(1);
  });

  it('fails with the reason, and tries again at the next time', async () => {
    await startProcess();
    isBroken = true;
    const events = await runFor(13 * HOUR_MS, 3, () => {
      isBroken = false;
    });
    expect(events.map(({ kind }) => kind)).toEqual(['failed', 'saved', 'saved']);
    expect(events[0]).toEqual({ kind: 'failed', reason: 'The disk is full.' });
  });

  it('waits for the process, and reports that once', async () => {
    let waits = 0;
    const events = await runFor(HOUR_MS, 3, async () => {
      waits += 1;
      if (waits === 5) await startProcess();
    });
    expect(events.map(({ kind }) => kind)).toEqual(['waiting', 'saved']);
    expect(events[0]).toMatchObject({ reason: expect.stringContaining(`No process runs on ${data}`) as string });
  });

  it('needs a directory that exists', async () => {
    rmSync(directory, { recursive: true });
    await expect(runFor(HOUR_MS)).rejects.toThrow(`${directory} cannot hold backups (ENOENT): create the directory.`);
    writeFileSync(directory, 'a file');
    await expect(runFor(HOUR_MS)).rejects.toThrow('(no directory)');
  });
});

describe('the first backup', () => {
  const now = Date.parse('2026-01-02T12:00:00Z');
  const at = (hours: number): string => nameOf(new Date(now + hours * HOUR_MS));

  it.each([
    ['at once without one', [], 0],
    ['at once where the newest is old', [at(-48), at(-25)], 0],
    ['an interval after the newest', [at(-48), at(-5)], 19],
    ['at once where the newest is of the future', [at(7)], 0],
  ])('is due %s', (_when, names, hours) => {
    expect((firstDueMs(names, now, 24 * HOUR_MS) - now) / HOUR_MS).toBe(hours);
  });
});

it.each([
  ['1', 1],
  ['24', 24],
  ['8760', 8760],
  ['0', undefined],
  ['8761', undefined],
  ['1.5', undefined],
  ['-1', undefined],
  ['daily', undefined],
])('takes %s hours as %s', (text, hours) => {
  expect(intervalOf(text)).toBe(hours === undefined ? undefined : hours * HOUR_MS);
});
