import { open, rename, rm } from 'node:fs/promises';

/** Replaces `file` atomically by one that only its owner may read. */
export async function writeSecretFile(file: string, content: string): Promise<void> {
  const unfinished = `${file}.unfinished`;
  // An existing file would keep its mode, and a link would lead elsewhere.
  await rm(unfinished, { force: true });
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
