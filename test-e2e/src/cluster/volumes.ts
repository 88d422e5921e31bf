// Volumes on the disk of the first node, for claims that no provisioner serves.
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from './cluster';

/** Each is for the claim of its name in the namespace. The folders belong to the user of the product's pods. */
export function volumesFor(
  { nodes: [node] }: Cluster,
  namespace: string,
  sizes: Readonly<Record<string, string>>,
): readonly unknown[] {
  const matchExpressions = [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node.name] }];
  return Object.entries(sizes).map(([name, storage]) => {
    const path = join(node.volumes, name);
    mkdirSync(path, { recursive: true, mode: 0o770 });
    chownSync(path, 1000, 1000);
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name },
      spec: {
        capacity: { storage },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        local: { path },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } },
        claimRef: { namespace, name },
      },
    };
  });
}
