// Second opinions on what is rendered: kube-score on how objects are written, and a validator of others on their schemas.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { helm, runTool, TESTED, TOOLS, valueFiles } from './helm';

/** Checks of kube-score that the chart does not follow, with the reason. */
const IGNORED: Readonly<Record<string, string>> = {
  'container-resources':
    'No CPU limit: a throttled gateway answers chargers late. Memory limits are tested in workloads.chart.ts.',
  'container-image-pull-policy': 'IfNotPresent: tags are versions, and the tag latest is refused.',
  'container-ephemeral-storage-request-and-limit': 'The root file system is read-only; nothing but logs is written.',
  'container-security-context-user-group-id':
    'The user of the image is 1000, which owns nothing else on a node with user namespaces or without.',
  'deployment-replicas': 'With KEDA the ScaledObject has the replicas, which kube-score does not know.',
  'deployment-strategy': 'upgradeStrategy stop is Recreate, for versions that cannot run side by side.',
  'service-type': 'NodePort is what the values ask for.',
  'deployment-has-host-podantiaffinity': 'topologySpreadConstraints spread the pods, softly and over zones too.',
  'pod-probes':
    'Readiness and liveness ask different paths; the servers of tryOut have no liveness on purpose: a slow one is not killed.',
  'statefulset-has-poddisruptionbudget':
    'A single pod with its data has nothing to wait for: a budget would only block the drain of its node.',
  'statefulset-has-host-podantiaffinity': 'There is one pod.',
  'statefulset-has-servicename':
    'The name of the one process is never resolved; the headless Service is for monitoring.',
};

interface Check {
  readonly check: { readonly id: string };
  readonly grade: number;
  readonly skipped: boolean;
  readonly comments: readonly { readonly summary: string }[] | null;
}

/** The grade of kube-score: 10 is fine, 5 a warning, 1 critical. */
const FINE = 10;

const files = valueFiles().map((file) => [basename(file), file] as const);

it.each(files.flatMap(([name, file]) => TESTED.map((version) => [name, version, file] as const)))(
  'passes kube-score: %s for Kubernetes %s',
  (_name, version, file) => {
    const { stdout: objects } = helm('template', file, version);
    const { stdout } = runTool(
      'kube-score',
      ['score', '--output-format', 'json', '--kubernetes-version', `v${version}`, '-'],
      objects,
    );
    const scored = JSON.parse(stdout) as readonly { object_name: string; checks: readonly Check[] }[];
    const against = scored.flatMap(({ object_name: name, checks }) =>
      checks
        .filter(({ check, grade, skipped }) => !skipped && grade < FINE && IGNORED[check.id] === undefined)
        .map(
          ({ check, comments }) => `${name}: ${check.id}: ${(comments ?? []).map(({ summary }) => summary).join('; ')}`,
        ),
    );
    expect(against).toEqual([]);
    expect(scored.length).toBeGreaterThan(0);
  },
);

it.each(files)('passes kubernetes-validate for every Kubernetes it is tested with: %s', (_name, file) => {
  const rendered = TESTED.map((version) => helm('template', file, version).stdout);
  // The rendered objects do not depend on the version: one process reads the schemas of all.
  expect(new Set(rendered).size).toBe(1);
  const directory = mkdtempSync(join(tmpdir(), 'busbar-objects-'));
  try {
    const objects = join(directory, 'objects.yaml');
    writeFileSync(objects, rendered[0] ?? '');
    const versions = TESTED.flatMap((version) => ['-k', version]);
    const { status, stdout } = spawnSync('python3', ['-m', 'kubernetes_validate', '--strict', ...versions, objects], {
      encoding: 'utf8',
      env: { ...process.env, PYTHONPATH: join(TOOLS, 'python') },
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining('passed')]);
    for (const version of TESTED) expect(stdout).toMatch(new RegExp(` passed for .* against version ${version}`));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
