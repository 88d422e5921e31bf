// Commands that the tool runs itself, since they test the service from outside or outlive a request. The tables have them for
// the usage.
import { AppError } from '@busbar/core';
import { parseCommandLine, type AdminCommand, type Arguments } from './command';

const NAMES = ['smoke', 'backup-every'] as const;

export interface ToolCommand {
  readonly name: (typeof NAMES)[number];
  readonly given: Arguments;
}

export const toolCommands: readonly AdminCommand[] = [
  {
    name: ['smoke'],
    options: {
      ready: 'NAME=URL,…',
      v2: 'URL',
      ocpp: 'URL',
      ca: 'FILE',
      host: 'NAME',
      'key-file': 'FILE',
    },
    about:
      'test the service from outside: readiness, certificate, v2 API, a charger that connects; by default the running one-process mode. ' +
      '--ready names internal addresses, --host what the certificate must name; the key is that of --key-file or BOOTSTRAP_API_KEY',
    run: refuse,
  },
  {
    name: ['backup-every'],
    positionals: ['HOURS', 'DIRECTORY'],
    options: { keep: 'NUMBER' },
    about:
      'back up the running one-process mode now and every HOURS until SIGTERM, and keep the newest backups, 7 by default; ' +
      'nothing else in DIRECTORY is deleted',
    run: refuse,
  },
];

/** The command of the tool itself; undefined for any other command. Throws `invalid_request` for a wrong command line. */
export function toolCommandOf(line: readonly string[]): ToolCommand | undefined {
  const name = NAMES.find((each) => each === line[0]);
  return name === undefined ? undefined : { name, given: parseCommandLine(toolCommands, line).given };
}

function refuse(): never {
  throw new AppError('invalid_request', 'The tool runs this command itself: use "npm run admin".');
}
