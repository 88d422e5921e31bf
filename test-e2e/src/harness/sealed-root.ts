// The assembled image as its container has it at its strictest: a read-only root with Node, the libraries it needs and the
// application. There is no shell, no npm and no /tmp, and the user is 1000. Needs root, since it mounts.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startCommand, type Program } from './program';

const USER = 1000;
const MOUNTED = ['proc', 'dev', 'app/data', 'backups'];
const SCRIPT = `
  mount --bind "$1" "$1"
  mount --bind /proc "$1/proc"
  mount --bind /dev "$1/dev"
  mount -o remount,bind,ro "$1"
  mount --bind "$2" "$1/app/data"
  mount --bind "$3" "$1/backups"
  root=$1
  shift 3
  exec chroot --userspec=${String(USER)}:${String(USER)} --groups= "$root" "$@"
`;

export const whyNotSealed =
  process.platform !== 'linux' || process.getuid?.() !== 0 ? 'only root on Linux may mount' : undefined;

export interface SealedRoot {
  /** The data directory as it is outside. */
  readonly data: string;
  /** The folder for backups as it is outside. */
  readonly backups: string;
  /** Runs a command of the image; the result is its standard output. Throws for another exit code than 0. */
  run(command: readonly string[], env?: Readonly<Record<string, string>>): string;
  start(command: readonly string[], env?: Readonly<Record<string, string>>): Program;
  remove(): void;
}

/** With a copy of the application, and the variables of the Dockerfile. */
export function createSealedRoot(application: string, dockerfile: string): SealedRoot {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-root-'));
  const root = join(directory, 'root');
  const [data, backups] = [join(directory, 'data'), join(directory, 'backups')];
  for (const path of ['root', 'data', 'backups', 'root/bin']) mkdirSync(join(directory, path));
  chmodSync(directory, 0o755);
  for (const path of [data, backups]) {
    chmodSync(path, 0o700);
    chownSync(path, USER, USER);
  }
  cpSync(application, join(root, 'app'), { recursive: true, verbatimSymlinks: true });
  for (const path of MOUNTED) mkdirSync(join(root, path));
  copyFileSync(process.execPath, join(root, 'bin/node'));
  for (const library of librariesOf(process.execPath)) {
    mkdirSync(dirname(join(root, library)), { recursive: true });
    copyFileSync(library, join(root, library));
  }
  const environment = environmentOf(dockerfile);
  // The process of `unshare` becomes that of Node, so signals reach it. The mounts end with it.
  const wrapped = (command: readonly string[]): [string, ...string[]] => [
    ...(['unshare', '--mount', 'sh', '-e', '-c', SCRIPT, 'sealed', root, data, backups, '/bin/node'] as const),
    ...command,
  ];
  return {
    data,
    backups,
    run: (command, env = {}) => {
      const [program, ...args] = wrapped(command);
      return execFileSync(program, args, {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], ...environment, ...env },
      });
    },
    start: (command, env = {}) => startCommand('sealed', wrapped(command), { ...environment, ...env }),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Returns the files that the dynamic linker loads, itself included. */
function librariesOf(program: string): readonly string[] {
  const text = execFileSync('ldd', [program], { encoding: 'utf8' });
  return [...text.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path);
}

/** The variables of ENV. */
function environmentOf(dockerfile: string): Readonly<Record<string, string>> {
  const lines = readFileSync(dockerfile, 'utf8').matchAll(/^ENV (.*)$/gm);
  const pairs = [...lines].flatMap(([, line = '']) => line.split(' ').map((pair) => pair.split('=')));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
}
