import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStorePlatform, type AdapterDeps, type StorePlatform } from '@busbar/runtime';

export interface DataFolder {
  /** Contains `directory` and `backup`. */
  readonly folder: string;
  /** A data directory that does not exist yet. */
  readonly directory: string;
  /** The path for a backup of it. */
  readonly backup: string;
  /** Opens the store in the directory while `work` runs. */
  withStore<T>(work: (platform: StorePlatform) => Promise<T>): Promise<T>;
}

/** Gives each test a folder that is removed after it. */
export function eachWithDataFolder(deps: AdapterDeps, assign: (its: DataFolder) => void): void {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'busbar-data-'));
    const directory = join(folder, 'data');
    assign({
      folder,
      directory,
      backup: join(folder, 'backup.db'),
      withStore: (work) => withStore(createStorePlatform(`file:${directory}`, deps), work),
    });
  });
  afterEach(() => rm(folder, { recursive: true }));
}

async function withStore<T>(platform: StorePlatform, work: (platform: StorePlatform) => Promise<T>): Promise<T> {
  await platform.start();
  try {
    return await work(platform);
  } finally {
    await platform.stop();
  }
}
