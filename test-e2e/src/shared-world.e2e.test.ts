import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@busbar/testing';
import { assertSharedWorld, openSharedWorld } from './harness/shared-world';

const KIND = 'one process';
let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'busbar-keeper-'))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it('fails each later test file with the output of the program that ended', async () => {
  const { programs } = await openSharedWorld(KIND, directory);
  assertSharedWorld(KIND, directory);
  for (const pid of programs) process.kill(pid, 'SIGKILL');
  const error = await eventually(() => {
    try {
      assertSharedWorld(KIND, directory);
      return undefined;
    } catch (thrown) {
      return thrown as Error;
    }
  });
  expect(error.message).toMatch(
    /^the shared network ended: charger-state, push, gateway, v2-api, legacy-api ended with null:\n.*"listening"/s,
  );
  await expect(openSharedWorld(KIND, directory)).rejects.toThrow(error.message);
}, 60_000);
