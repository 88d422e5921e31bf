// Writes what libs/ocpp needs and does not keep in git: standalone validators and payload types, made from the schemas
// of the npm package typed-ocpp. Written as TypeScript, so that tests, `tsc -b` and tsx all take it like any other source.
// Does nothing when its inputs have not changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const home = join(root, 'libs/ocpp');
// The package's own ajv: at the root another major version may lie.
const requireFromPackage = createRequire(join(home, 'package.json'));

/** Versions to generate. `sent` are limits of the standard for what we send, where typed-ocpp is more generous. */
const VERSIONS = [
  {
    name: 'ocpp16',
    source: 'typed-ocpp/dist/ocpp16/schemas.js',
    sent: { ChangeConfigurationRequest: { value: { maxLength: 500 } } },
  },
];

/** A keyword that is neither here nor handled in `inline` stops the generator: it would be lost in silence. */
const KEPT = ['type', 'required', 'enum', 'format', 'maxLength', 'minItems', 'multipleOf'];
const DROPPED = ['title', 'additionalProperties', 'additionalItems', 'definitions'];

/** Generates what is missing or out of date. Resolves with the paths it wrote: none when all was fresh. */
export async function generate() {
  const written = [];
  for (const version of VERSIONS) written.push(...(await generateVersion(version)));
  return written;
}

async function generateVersion(version) {
  const source = requireFromPackage.resolve(version.source);
  const stamp = `// inputs: ${hashOf(source)}`;
  const targets = { code: target(version, ''), types: target(version, '-types') };
  if (Object.values(targets).every((path) => isFresh(path, stamp))) return [];
  const schemas = inlineAll(await import(pathToFileURL(source).href), version.sent);
  writeWhole(targets.code, `${stamp}\n${codeOf(version.name, schemas)}`);
  writeWhole(targets.types, `${stamp}\n${typesOf(version.name, schemas)}`);
  return Object.values(targets);
}

function target(version, suffix) {
  return join(home, 'src/generated', `${version.name}${suffix}.ts`);
}

function hashOf(source) {
  const hash = createHash('sha256');
  for (const path of [fileURLToPath(import.meta.url), source, requireFromPackage.resolve('ajv/package.json')]) {
    hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}

function isFresh(path, stamp) {
  return existsSync(path) && readFileSync(path, 'utf8').startsWith(`${stamp}\n`);
}

// Renamed into place: another process that reads meanwhile sees the old file or the new one.
function writeWhole(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

/** `{AuthorizeRequest: schema, …}` with references inlined, which leaves of `definitions` what is reached. */
function inlineAll(module, limits) {
  const schemas = {};
  for (const [name, schema] of Object.entries(module)) {
    const inlined = inline(schema, schema.definitions ?? {});
    for (const [field, limit] of Object.entries(limits[name] ?? {})) Object.assign(inlined.properties[field], limit);
    schemas[name] = inlined;
  }
  return schemas;
}

function inline(schema, definitions) {
  if (schema.$ref !== undefined) return inline(definitions[schema.$ref.replace('#/definitions/', '')], definitions);
  const result = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties') result.properties = mapValues(value, (field) => inline(field, definitions));
    else if (keyword === 'items') result.items = inline(value, definitions);
    else if (KEPT.includes(keyword)) result[keyword] = value;
    else if (!DROPPED.includes(keyword)) throw new Error(`the schemas use "${keyword}", which is not handled`);
  }
  return result;
}

/** The standard to the letter. `isOptional`: an empty string there is one that a lenient check lets pass (rule 48). */
function strict(schema) {
  return variant(schema, { isLenient: false, isOptional: false });
}

/** Without what may be forgiven: unknown fields, unknown enum values, times without a zone, empty optional strings. */
function lenient(schema) {
  return variant(schema, { isLenient: true, isOptional: false });
}

function variant(schema, { isLenient, isOptional }) {
  const result = { ...schema };
  if (schema.items !== undefined) result.items = variant(schema.items, { isLenient, isOptional: false });
  if (schema.format === 'date-time') {
    result.format = isLenient ? (isOptional ? 'lenientTimestampOrEmpty' : 'lenientTimestamp') : 'timestamp';
  }
  if (isLenient) delete result.enum;
  if (schema.type !== 'object') return result;
  result.additionalProperties = isLenient;
  result.properties = mapEntries(schema.properties ?? {}, (name, field) =>
    variant(field, { isLenient, isOptional: !(schema.required ?? []).includes(name) }),
  );
  return result;
}

function codeOf(name, schemas) {
  const Ajv = requireFromPackage('ajv').default;
  const { _ } = requireFromPackage('ajv');
  const standalone = requireFromPackage('ajv/dist/standalone').default;
  const ajv = new Ajv({
    // One decimal of a float: without this a third of all one-decimal limits fail `multipleOf: 0.1` (rule 46).
    multipleOfPrecision: 3,
    code: { source: true, formats: _`formats` },
  });
  // Only names: the functions are the package's own, in src/formats.ts.
  for (const format of ['timestamp', 'lenientTimestamp', 'lenientTimestampOrEmpty', 'uri']) {
    ajv.addFormat(format, () => true);
  }
  const exported = {};
  for (const [title, schema] of Object.entries(schemas)) {
    for (const make of [strict, lenient]) {
      exported[`${make.name}${title}`] = `${title}/${make.name}`;
      ajv.addSchema(make(schema), `${title}/${make.name}`);
    }
  }
  return moduleOf(name, schemas, selfContained(standalone(ajv, exported)));
}

/** ajv's output without `require` and `exports`, so that it can stand inside a function of an ordinary module. */
function selfContained(code) {
  const whole = code
    .replaceAll(/"use strict";|(module\.)?exports = validate\d+;/g, '')
    .replaceAll(/exports\.(\w+) = /g, 'checks.$1 = ')
    .replaceAll('require("ajv/dist/runtime/ucs2length").default', 'codePoints');
  if (/require\(|exports/.test(whole)) throw new Error('the compiled validators need more than they bring along');
  return whole;
}

function moduleOf(name, schemas, code) {
  const constant = `compiled${name[0].toUpperCase()}${name.slice(1)}`;
  const rows = Object.keys(schemas)
    .filter((title) => title.endsWith('Request'))
    .map((title) => title.slice(0, -'Request'.length))
    .map((action) => `['${action}', { request: part('${action}Request'), response: part('${action}Response') }],`);
  return `// @ts-nocheck Generated by tools/generate.mjs from the schemas of typed-ocpp (MIT), by ajv (MIT).
import type { CompiledAction } from '../compiled';
import { codePoints, formats } from '../formats';

const schemas = ${JSON.stringify(schemas)};
const checks = {};
${code}
function part(title) {
  return { strict: checks['strict' + title], lenient: checks['lenient' + title], schema: schemas[title] };
}
export const ${constant}: ReadonlyMap<string, CompiledAction> = new Map([
  ${rows.join('\n  ')}
]);
`;
}

function typesOf(name, schemas) {
  const prefix = `${name[0].toUpperCase()}${name.slice(1)}`;
  const side = (suffix) =>
    Object.entries(schemas)
      .filter(([title]) => title.endsWith(suffix))
      .map(([title, schema]) => `  readonly ${title.slice(0, -suffix.length)}: ${typeOf(schema)};`)
      .join('\n');
  return `// Generated by tools/generate.mjs from the schemas of typed-ocpp (MIT).
// Enums stay open: a tolerant listener lets values pass that the standard does not list.
type Open<T extends string> = T | (string & {});

/** Payloads of CALLs by action. */
export interface ${prefix}Requests {
${side('Request')}
}

/** Payloads of CALLRESULTs by action. */
export interface ${prefix}Responses {
${side('Response')}
}
`;
}

function typeOf(schema) {
  if (schema.enum !== undefined) return `Open<${schema.enum.map((value) => `'${value}'`).join(' | ')}>`;
  if (schema.type === 'array') return `readonly ${wrap(typeOf(schema.items))}[]`;
  if (schema.type !== 'object') return schema.type === 'integer' ? 'number' : schema.type;
  const required = schema.required ?? [];
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => `readonly ${name}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`,
  );
  return fields.length === 0 ? 'Readonly<Record<string, never>>' : `{ ${fields.join('; ')} }`;
}

function wrap(type) {
  return /^[\w<]+$/.test(type) ? type : `(${type})`;
}

function mapValues(object, map) {
  return mapEntries(object, (_name, value) => map(value));
}

function mapEntries(object, map) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(name, value)]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const written = await generate();
  for (const path of written) console.log(`generated ${path.slice(root.length + 1)}`);
}
