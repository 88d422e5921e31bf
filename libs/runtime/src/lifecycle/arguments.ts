// The command line of a service: everything else is set by environment variables.
import { AppError } from '@busbar/core';
import { versionLine } from './build-info';
import { describeSettings } from '../settings/describe-settings';
import type { SettingsSpec } from '../settings/setting';

/**
 * The text to print instead of running the service, for `--version` and `--help`; undefined without arguments. Throws
 * `invalid_configuration` for any other argument.
 */
export function replyToArguments(
  program: { readonly name: string; readonly settings: SettingsSpec },
  args: readonly string[],
): string | undefined {
  const { name, settings } = program;
  const [first] = args;
  if (first === undefined) return undefined;
  if (args.includes('--version')) return versionLine(name);
  if (args.includes('--help')) return `${versionLine(name)}\n\n${describeSettings([{ process: name, settings }])}`;
  throw new AppError(
    'invalid_configuration',
    `Unknown argument ${JSON.stringify(first.slice(0, 80))}: there are --version and --help. Settings are environment variables; --help lists them.`,
  );
}
