// A neighbouring version of the service as a folder that its programs run from, beside this checkout: the commit that is named,
// or this program with one more additive migration. For `npm run test:faults -- --rollout`.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { run } from './on-demand.mjs';
import { npm, print, Refusal, root } from './prepare.mjs';

const GROUPS = ['libs', 'services'];
/** No program needs it, and it is large. */
const TESTING = 'libs/testing';
const MODULES = 'node_modules';
const LOCK = 'package-lock.json';
/** Where a built checkout has its migrations. */
export const MIGRATIONS = 'libs/runtime/dist/migrations';
const RELEASED = 'released-migrations.js';
/** The table of migrations with one more: it adds a field that nothing reads. */
const WITH_ONE_MORE = `'use strict';
const { allCollections, and, eq } = require('@busbar/store');
const { MIGRATIONS, schemaVersionOf, readableAfter } = require('./${RELEASED}');
const chargers = allCollections.find(({ name }) => name === 'chargers');
const version = schemaVersionOf(MIGRATIONS) + 1;
async function part(store) {
  const collection = store.collection(chargers);
  const found = await collection.find(eq('addedField', null), { limit: 100 });
  for (const { _id } of found) {
    await collection.update(and(eq('_id', _id), eq('addedField', null)), { set: { addedField: 1 } });
  }
  return found.length;
}
exports.MIGRATIONS = [...MIGRATIONS, { version, about: 'chargers have another field', isAdditive: true, part }];
exports.SCHEMA_VERSION = version;
exports.schemaVersionOf = schemaVersionOf;
exports.readableAfter = readableAfter;
`;

/** `{older, newer, remove}`: folders of both versions. Rejects with a `Refusal` when the commit cannot be built. */
export async function prepareNeighbours(commit) {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-neighbour-'));
  const folder = join(directory, 'checkout');
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    if (commit === undefined) {
      copyWithOneMore(folder);
      return { older: root, newer: folder, remove };
    }
    await checkOut(commit, folder);
    return { older: folder, newer: root, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function copyWithOneMore(folder) {
  for (const home of packagesOf(root).filter((each) => each !== TESTING)) {
    const isRunFrom = (path) => !['src', MODULES].includes(relative(join(root, home), path).split('/')[0]);
    cpSync(join(root, home), join(folder, home), { recursive: true, filter: isRunFrom });
  }
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  linkModules(folder);
  addMigration(folder);
}

/** Gives the program that is laid out in the folder one more additive migration. */
export function addMigration(folder) {
  renameSync(join(folder, MIGRATIONS, 'migrations.js'), join(folder, MIGRATIONS, RELEASED));
  writeFileSync(join(folder, MIGRATIONS, 'migrations.js'), WITH_ONE_MORE);
}

/** From git's own store, without a branch or a worktree that would have to be taken back. */
async function checkOut(commit, folder) {
  print(`Building ${commit} …`);
  mkdirSync(folder);
  const archive = join(folder, '..', 'source.tar');
  await must(['git', '-C', root, 'archive', `--output=${archive}`, commit], root);
  await must(['tar', '-xf', archive, '-C', folder], root);
  const isLockedAlike = readFileSync(join(root, LOCK), 'utf8') === readFileSync(join(folder, LOCK), 'utf8');
  if (isLockedAlike) linkModules(folder);
  else await must(npm(['ci', '--include=dev']), folder);
  await must([process.execPath, 'tools/build.mjs'], folder);
}

async function must(command, folder) {
  const failed = await run(command, folder);
  if (failed !== undefined) throw new Refusal(`${command.join(' ')}: ${failed}`);
}

/** The dependencies of this checkout, and the packages of the folder itself. */
function linkModules(folder) {
  const modules = join(folder, MODULES);
  mkdirSync(join(modules, '@busbar'), { recursive: true });
  for (const name of readdirSync(join(root, MODULES))) {
    if (!name.startsWith('.') && name !== '@busbar') symlinkSync(join(root, MODULES, name), join(modules, name));
  }
  for (const home of packagesOf(folder)) {
    symlinkSync(join(folder, home), join(modules, '@busbar', home.split('/')[1]));
    const own = join(root, home, MODULES);
    if (existsSync(own)) symlinkSync(own, join(folder, home, MODULES));
  }
}

/** `libs/core`, … */
function packagesOf(folder) {
  return GROUPS.flatMap((group) => readdirSync(join(folder, group)).map((name) => `${group}/${name}`)).filter((home) =>
    existsSync(join(folder, home, 'package.json')),
  );
}
