// Reads settings from the environment or from the files that `X_FILE` names.
import { readFileSync } from 'node:fs';
import { AppError, isAppError } from '@busbar/core';
import { errnoOf } from '../errno';
import type { Setting, SettingsCheck, SettingsOf, SettingsSpec } from './setting';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Far more than any setting needs; limits the read of a wrong path. */
const FILE_CHARACTERS = 65_536;

/**
 * Reads every setting of a spec, then applies the checks of settings that must agree. Any `X` may be set as `X_FILE`, the path
 * of a file that holds it. An empty variable counts as unset. Throws `invalid_configuration` with one sentence for each wrong
 * variable, which names it and what to do: one is the whole message, several are lines of a list.
 */
export function readSettings<S extends SettingsSpec>(
  spec: S,
  env: Environment,
  checks: readonly SettingsCheck<SettingsOf<S>>[] = [],
): SettingsOf<S> {
  const faults: AppError[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(spec)) {
    collect(faults, () => (values[key] = readSetting(setting, env)));
  }
  const settings = values as SettingsOf<S>;
  for (const { of, check } of checks) {
    if (of.every((key) => key in values)) collect(faults, () => check(settings));
  }
  const [first, ...further] = faults;
  if (first === undefined) return settings;
  if (further.length === 0) throw first;
  const list = faults.map(({ message }) => `\n- ${message}`).join('');
  throw invalid(`${String(faults.length)} settings are wrong:${list}`);
}

function collect(faults: AppError[], read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!isAppError(error)) throw error;
    // Two checks may read the same file.
    if (!faults.some(({ message }) => message === error.message)) faults.push(error);
  }
}

function readSetting(setting: Setting<unknown>, env: Environment): unknown {
  const given = textOf(setting.variable, env);
  if (given === undefined) {
    if (setting.required) throw invalid(`${setting.variable} is not set: set it to ${setting.expects}.`);
    return setting.fallback();
  }
  const value = setting.parse(given);
  if (value !== undefined) return value;
  const shown = setting.secret ? '' : ` and is ${JSON.stringify(given.slice(0, 80))}`;
  throw invalid(`${setting.variable} must be ${setting.expects}${shown}: ${remedy(setting)}.`);
}

function remedy(setting: Setting<unknown>): string {
  if (setting.required) return 'correct it';
  return setting.defaultText === undefined
    ? 'correct it or remove it'
    : `correct it, or remove it to have ${setting.defaultText}`;
}

function textOf(variable: string, env: Environment): string | undefined {
  const direct = nonEmpty(env[variable]?.trim());
  const file = nonEmpty(env[`${variable}_FILE`]?.trim());
  if (file === undefined) return direct;
  if (direct !== undefined) throw invalid(`${variable} and ${variable}_FILE are both set: remove one of them.`);
  const content = contentOf(variable, file).trim();
  if (content === '') throw invalid(`${variable}_FILE names ${file}, which is empty: put the value into it.`);
  return content;
}

function contentOf(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').slice(0, FILE_CHARACTERS);
  } catch (cause) {
    const code = errnoOf(cause) ?? 'unreadable';
    throw invalid(
      `${variable}_FILE names ${file}, which cannot be read (${code}): correct the path or its rights.`,
      cause,
    );
  }
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

function invalid(sentence: string, cause?: unknown): AppError {
  return new AppError('invalid_configuration', sentence, cause === undefined ? {} : { cause });
}
