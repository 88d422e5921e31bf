// Prepares what the tests in a real Kubernetes need, where there is a network: the tests run in namespaces without one.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { output, run } from '../../on-demand.mjs';
import { print, Refusal, root } from '../../prepare.mjs';
import { installKubernetesTools } from '../install.mjs';
import { buildKwok } from '../kwok/build.mjs';
import { buildKubernetes } from './build.mjs';
import { makeImages, makeProgramImage } from './image.mjs';
import { kernelRefuses } from './namespaces.mjs';

const IMAGES = { released: 'busbar.test/busbar:1', newer: 'busbar.test/busbar:next' };
const PAUSE = 'busbar.test/pause:1';
/** By the command that shows it: Debian's package. */
const PACKAGES = {
  etcd: 'etcd-server',
  containerd: 'containerd',
  runc: 'runc',
  iptables: 'iptables',
  conntrack: 'conntrack',
  ip: 'iproute2',
  unshare: 'util-linux',
};
/** The stand-in for MongoDB's server, whose packages its first start would fetch. */
const DOCUMENT_SERVER = join(root, 'libs/testing/document-server');
const FETCH = ['mvn', '-q', 'dependency:copy-dependencies', '-DoutputDirectory=lib'];
const BRIDGE = '/usr/lib/cni/bridge';

/** Returns why there can be no cluster here: `{missing}` by the machine, or `{refused}` by its kernel. */
export function clusterHindrance() {
  if (process.platform !== 'linux') return { missing: 'Linux' };
  if (process.getuid() !== 0) return { missing: 'root' };
  const packages = Object.entries(PACKAGES).filter(([program]) => output('which', [program]) === '');
  if (!existsSync(BRIDGE)) packages.push([BRIDGE, 'containernetworking-plugins']);
  if (packages.length > 0) return { missing: `the packages ${packages.map(([, name]) => name).join(', ')}` };
  const refused = kernelRefuses();
  return refused === undefined ? undefined : { refused };
}

/**
 * Resolves with `{env}`, the variables that the tests read, and `remove()`. Rejects with what could not be made. `all`: also what only
 * `--all` needs.
 */
export async function prepareCluster({ all }) {
  const directory = builtBy(await buildKubernetes());
  const kwok = all ? builtBy(await buildKwok()) : '';
  const tools = builtBy(await installKubernetesTools());
  const fetchFailed = existsSync(join(DOCUMENT_SERVER, 'lib')) ? undefined : await run(FETCH, DOCUMENT_SERVER);
  if (fetchFailed !== undefined) throw new Refusal(`${FETCH.join(' ')}: ${fetchFailed}`);
  print('Making the images …');
  const images = mkdtempSync(join(tmpdir(), 'busbar-images-'));
  const remove = () => rmSync(images, { recursive: true, force: true });
  try {
    const pause = { folder: directory, file: 'pause' };
    const archives = [await makeImages(root, IMAGES, images), await makeProgramImage(pause, PAUSE, images)];
    const env = { KUBE: join(directory, 'kube'), KUBERNETES_TOOLS: tools, KWOK: kwok, IMAGES: archives.join(' ') };
    return { env, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function builtBy({ directory, skipped, failed }) {
  if (directory === undefined) throw new Refusal(failed ?? `The tests in a cluster need ${skipped}.`);
  return directory;
}
