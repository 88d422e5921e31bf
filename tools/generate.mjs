// Writes what libs/ocpp needs and does not keep in git: standalone validators and payload types, made from the schemas
// of the npm package typed-ocpp. Written as TypeScript, so that tests, `tsc -b` and tsx all take it like any other source.
// Does nothing when its inputs have not changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readSchemas } from './generate/schemas.mjs';
import { typesOf } from './generate/types.mjs';
import { sentValidatorsOf, validatorsOf } from './generate/validators.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const home = join(root, 'libs/ocpp');
// The package's own ajv: at the root another major version may lie.
const requireFromPackage = createRequire(join(home, 'package.json'));

/**
 * `folder` of libs/ocpp/src is the version's, `types` begins the names of its types. `shared`: its definitions are compiled
 * once each (rule 103). `patches`: limits of the standard that typed-ocpp lacks.
 */
const VERSIONS = [
  {
    name: 'ocpp16',
    folder: 'v16',
    types: 'V16',
    source: 'typed-ocpp/dist/ocpp16/schemas.js',
    patches: { ChangeConfigurationRequest: { value: { maxLength: 500 } } },
  },
  {
    name: 'ocpp201',
    folder: 'v201',
    types: 'V201',
    source: 'typed-ocpp/dist/ocpp20/schemas.js',
    shared: true,
    // Errata of Edition 2: 7500 characters.
    patches: { Get15118EVCertificateResponse: { exiResponse: { maxLength: 7500 } } },
  },
  { name: 'ocpp21', folder: 'v21', types: 'V21', source: 'typed-ocpp/dist/ocpp21/schemas.js', shared: true },
];
const PARTS = ['schemas.mjs', 'types.mjs', 'validators.mjs'];

/** Generates what is missing or out of date. Resolves with the paths it wrote: none when all was fresh. */
export async function generate() {
  const written = [];
  for (const version of VERSIONS) written.push(...(await generateVersion(version)));
  return written;
}

async function generateVersion(version) {
  const source = requireFromPackage.resolve(version.source);
  const stamp = `// inputs: ${hashOf(source)}`;
  const targets = {
    code: target(version, 'validators'),
    sent: target(version, 'sent-validators'),
    types: target(version, 'payload-types'),
  };
  if (Object.values(targets).every((path) => isFresh(path, stamp))) return [];
  const schemas = readSchemas(await import(pathToFileURL(source).href), version);
  writeWhole(targets.code, `${stamp}\n${validatorsOf(version.name, schemas, requireFromPackage)}`);
  writeWhole(targets.sent, `${stamp}\n${sentValidatorsOf(version.name, schemas, requireFromPackage)}`);
  writeWhole(targets.types, `${stamp}\n${typesOf(version.types, schemas)}`);
  return Object.values(targets);
}

function target(version, name) {
  return join(home, 'src', version.folder, 'generated', `${name}.ts`);
}

function hashOf(source) {
  const hash = createHash('sha256');
  const program = [fileURLToPath(import.meta.url), ...PARTS.map((part) => join(root, 'tools/generate', part))];
  for (const path of [...program, source, requireFromPackage.resolve('ajv/package.json')]) {
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const written = await generate();
  for (const path of written) console.log(`generated ${path.slice(root.length + 1)}`);
}
