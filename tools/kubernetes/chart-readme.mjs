// README.md of the chart: the prose of chart-readme.md, the values with their comments, the variables of each process.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../prepare.mjs';
import { PROCESSES, settingsOf } from './values-schema.mjs';
import { readElsewhere, readValues } from './values.mjs';

const PROSE = join(root, 'tools/kubernetes/chart-readme.md');

/** The text, before the formatter. `specs`: each process with the variables that it reads. */
export function chartReadme(specs) {
  return readFileSync(PROSE, 'utf8')
    .replace('<!-- values -->', () => valuesTable())
    .replace('<!-- settings -->', () => settingsTable(specs));
}

function valuesTable() {
  const rows = leavesOf(readValues()).map(({ path, value, about }) => row([code(path.join('.')), shown(value), about]));
  return [row(['value', 'default', 'meaning']), row(['---', '---', '---']), ...rows].join('\n');
}

/** Maps are rows of their own only where they say something; their keys follow. */
function leavesOf(values) {
  return values.flatMap((value) => {
    if (value.children === undefined || value.key === 'settings') return [value];
    const own = value.about === '' ? [] : [{ ...value, value: undefined }];
    return [...own, ...leavesOf(value.children)];
  });
}

function settingsTable(specs) {
  const users = new Map();
  for (const component of Object.keys(PROCESSES)) {
    for (const setting of settingsOf(component, specs)) {
      const { by, defaults } = users.get(setting.variable) ?? { by: [], defaults: new Set() };
      users.set(setting.variable, {
        setting,
        by: [...by, component],
        defaults: defaults.add(setting.defaultText ?? ''),
      });
    }
  }
  const rows = [...users.keys()].sort().map((variable) => {
    const { setting, by, defaults } = users.get(variable);
    const readers = by.length === Object.keys(PROCESSES).length ? 'all' : by.map(code).join(', ');
    const values = [...defaults].map((text) => (text === '' ? '' : code(text))).join(' or ');
    return row([code(variable), readers, values, `${setting.about} ${capitalized(setting.expects)}.`]);
  });
  const elsewhere = Object.entries(readElsewhere()).map(([variable, where]) => row([code(variable), where]));
  return [
    row(['variable', '`settings` of', 'default', 'meaning']),
    row(['---', '---', '---', '---']),
    ...rows,
    '',
    'These are no `settings`:',
    '',
    row(['variable', 'where']),
    row(['---', '---']),
    ...elsewhere,
  ].join('\n');
}

function capitalized(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}`;
}

function shown(value) {
  if (value === undefined) return '';
  return code(value === null ? 'null' : JSON.stringify(value));
}

function code(text) {
  return `\`${text}\``;
}

function row(cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
