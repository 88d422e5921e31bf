import type { Setting, SettingsSpec } from './setting';

export interface ProcessSpec {
  /** As in "npm run start:…". */
  readonly process: string;
  readonly settings: SettingsSpec;
}

/** The settings of several processes as one annotated file: each variable once, with its default and its readers. */
export function describeSettings(specs: readonly ProcessSpec[]): string {
  const uses = specs.flatMap(({ process, settings }) =>
    Object.values(settings)
      .filter(({ omitted = false }) => !omitted)
      .map((setting) => ({ process, setting })),
  );
  const variables = [...new Set(uses.map(({ setting }) => setting.variable))].sort();
  const entries = variables.map((variable) => {
    const users = uses.filter(({ setting }) => setting.variable === variable);
    return describeVariable(variable, users, specs.length);
  });
  return `${HEADER}\n${entries.join('\n')}`;
}

const HEADER = `# Every variable with its default. Remove the "#" to set one.
# Any X can be set as X_FILE: the path of a file that holds the value, for secrets.
`;

interface Use {
  readonly process: string;
  readonly setting: Setting<unknown>;
}

function describeVariable(variable: string, uses: readonly Use[], processes: number): string {
  const setting = uses[0]?.setting;
  if (setting === undefined) return '';
  const readers = uses.length === processes ? 'every process' : uses.map(({ process }) => process).join(', ');
  const defaults = new Map<string, string[]>();
  for (const use of uses) {
    const value = use.setting.defaultText ?? (use.setting.required ? 'required' : 'none');
    defaults.set(value, [...(defaults.get(value) ?? []), use.process]);
  }
  const varied =
    defaults.size === 1
      ? []
      : [`# Default: ${[...defaults].map(([value, by]) => `${value} (${by.join(', ')})`).join('; ')}.`];
  const shown = uses.find((use) => use.setting.defaultText !== undefined)?.setting.defaultText ?? '';
  const lines = [`# ${setting.about}`, `# May be: ${setting.expects}. Read by: ${readers}.`, ...varied];
  return `${[...lines, `#${variable}=${shown}`].join('\n')}\n`;
}
