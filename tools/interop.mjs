// The foreign OCPP stacks of `npm run test:interop`: what each needs on the machine, how it is installed into a cache of
// its own, and the command that is a charger on it. A stack is a folder in test-e2e/interop and a line here.
import { join } from 'node:path';
import { installOnDemand, output, PYTHON_INSTALL, pythonMisses } from './on-demand.mjs';
import { npm, root } from './prepare.mjs';

const SOURCES = join(root, 'test-e2e/interop');
const CACHE = join(root, 'node_modules/.cache/busbar-interop');
const OLDEST_JAVA = 17;
/** The minor version of Rust 1.x. */
const OLDEST_RUST = 87;
/** The abilities of a stack that tests may need, and not all have: test-e2e/src/interop/stacks.ts. */
const ABLE = { hasSecurity: true, readsTenths: true, reconnects: true, versions2: [] };

/**
 * One folder of sources may hold several stacks. `misses` says what the machine lacks; `locked` names what is installed;
 * `build` is for sources that are not run as they are.
 */
const FOLDERS = {
  npm: {
    misses: () => undefined,
    locked: 'package-lock.json',
    install: [npm(['ci', '--ignore-scripts'])],
    stacks: {
      'ocpp-rpc 2.2.1 (npm, strict mode)': {
        command: [process.execPath, 'ocpp-rpc.mjs'],
        ...ABLE,
        versions2: ['ocpp2.0.1'],
      },
      'ocpp-ws-io 2.3.2 (npm, strict mode)': {
        command: [process.execPath, 'ocpp-ws-io.mjs'],
        ...ABLE,
        reconnects: false,
        versions2: ['ocpp2.0.1', 'ocpp2.1'],
      },
      'ocpp-ts 0.3.0 (npm)': {
        command: [process.execPath, 'ocpp-ts.mjs'],
        hasSecurity: false,
        readsTenths: false,
        reconnects: false,
        versions2: [],
      },
    },
  },
  python: {
    misses: pythonMisses,
    locked: 'requirements.txt',
    install: PYTHON_INSTALL,
    stacks: {
      'ocpp 2.1.0 (PyPI)': {
        command: ['.venv/bin/python', 'charger.py'],
        ...ABLE,
        versions2: ['ocpp2.0.1', 'ocpp2.1'],
      },
    },
  },
  cargo: {
    misses: rustMisses,
    locked: 'Cargo.toml',
    // Fetches too. Takes minutes the first time.
    install: [],
    build: ['cargo', 'build', '--quiet'],
    stacks: {
      'ocpp-client 0.6.0 (crates)': {
        command: ['target/debug/busbar-interop'],
        ...ABLE,
        reconnects: false,
        versions2: ['ocpp2.0.1', 'ocpp2.1'],
      },
    },
  },
  java: {
    misses: javaMisses,
    locked: 'pom.xml',
    install: [['mvn', '--quiet', '--batch-mode', 'dependency:copy-dependencies', '-DoutputDirectory=lib']],
    build: ['javac', '-cp', 'lib/*', '-d', 'classes', 'Charger.java'],
    stacks: {
      'Java-OCA-OCPP 1.1.0 (Maven)': {
        command: ['java', '-XX:+UseSerialGC', '-cp', 'lib/*:classes', 'Charger'],
        ...ABLE,
        reconnects: false,
      },
    },
  },
};

/**
 * Installs what is missing or out of date of these folders. Gives `[{name, folder, command, …, skipped?, failed?}]`: `skipped` says what the
 * machine lacks, `failed` how the installation ended, the rest what the stack can.
 */
export async function installStacks(folders = Object.keys(FOLDERS)) {
  const stacks = [];
  for (const name of folders) {
    const { stacks: ofFolder, ...how } = FOLDERS[name];
    const directory = join(CACHE, name);
    const title = `the ${name} stacks of the interoperability tests`;
    const outcome = await installOnDemand({ title, source: join(SOURCES, name), directory, ...how });
    for (const [stack, able] of Object.entries(ofFolder)) {
      stacks.push({ name: stack, folder: directory, ...able, ...outcome });
    }
  }
  return stacks;
}

function javaMisses() {
  const version = /^jdk\.compiler@(\d+)/m.exec(output('java', ['--list-modules']))?.[1];
  if (!(Number(version) >= OLDEST_JAVA)) return `a JDK of version ${OLDEST_JAVA} or newer`;
  return output('mvn', ['-v']) === '' ? 'Maven, to fetch its packages with' : undefined;
}

function rustMisses() {
  const version = /^cargo 1\.(\d+)/.exec(output('cargo', ['--version']))?.[1];
  if (!(Number(version) >= OLDEST_RUST)) return `Rust 1.${OLDEST_RUST} or newer`;
  return output('cc', ['--version']) === '' ? 'a C compiler, which its cryptography is built with' : undefined;
}
