// Each alert fires on one series and stays silent on another, as Prometheus evaluates it; and stays silent on those of another release.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { minimalValues, render } from './helm';
import { objectOf, specOf } from './objects';

type Series = Readonly<Record<string, string>>;

/** A histogram of observations that all lie above 5 s (slow), or all below 0.1 s. */
function histogram(name: string, labels: string, isSlow: boolean): Series {
  const fast = isSlow ? '0x180' : '0+60x180';
  return {
    [`${name}_bucket{${labels},le="0.1"}`]: fast,
    [`${name}_bucket{${labels},le="5"}`]: fast,
    [`${name}_bucket{${labels},le="10"}`]: '0+60x180',
    [`${name}_bucket{${labels},le="+Inf"}`]: '0+60x180',
  };
}

function slow(name: string, labels: string): readonly [Series, Series] {
  return [histogram(name, labels, true), histogram(name, labels, false)];
}

function same(series: string, firing: string, silent: string): readonly [Series, Series] {
  return [{ [series]: firing }, { [series]: silent }];
}

/** A counter that counts something once, after 145 minutes, or nothing. */
function once(series: string): readonly [Series, Series] {
  return same(series, '0x144 1x80', '0x180');
}

const OWN = 'job="busbar",namespace="charging",release="charge"';
const INSTANCE = `instance="a",${OWN}`;
const UPGRADES = 'busbar_gateway_upgrades_total';
const REQUESTS = 'busbar_http_request_duration_seconds_count';
const COMMANDS = 'busbar_command_duration_seconds_count';
const WEBHOOKS = 'busbar_push_webhooks';
const DEPLOYMENT = 'kube_deployment_status_replicas_ready';
const BUDGET = 'kube_poddisruptionbudget_status_pod_disruptions_allowed';
const BACKUP = 'namespace="charging",job_name="charge-busbar-mongodump-1"';
/** The series of a Job that started at 8,000 s and failed after 145 minutes; the CronJob's last success was then. */
const failedBackup = (lastSuccess: string): Series => ({
  [`kube_job_failed{${BACKUP},condition="true"}`]: '0x144 1x80',
  [`kube_job_status_start_time{${BACKUP}}`]: '8000x224',
  'kube_cronjob_status_last_successful_time{namespace="charging",cronjob="charge-busbar-mongodump"}': lastSuccess,
});
const [MIGRATED, SCHEMA] = ['busbar_store_migration_documents', 'busbar_store_schema_version'];
const OF_RABBIT = 'job="busbar-rabbitmq",namespace="charging",release="charge"';
/** The series of the queue of a partition, at the node that leads it. */
const partition = (number: number): string =>
  `rabbitmq_detailed_queue_consumers{${OF_RABBIT},queue="busbar.reports.${String(number)}",instance="${String(number)}"}`;
/** The series of two partitions: each owned by one replica, and RabbitMQ is read. */
const OWNED: Series = {
  [`busbar_state_partitions{${INSTANCE}}`]: '2x180',
  [`up{${OF_RABBIT},instance="0"}`]: '1x180',
};

/** At the minute 150: series with which the alert fires, and with which it does not. One sample a minute. */
const CASES: Readonly<Record<string, readonly [Series, Series]>> = {
  BusbarTargetDown: same(`up{${INSTANCE}}`, '1x144 0x80', '1x180'),
  BusbarBrokerUnavailable: same(`busbar_broker_unavailable_seconds{${INSTANCE}}`, '0x144 0+60x80', '0x144 5x80'),
  BusbarReportsHeld: same(`busbar_gateway_held_seconds{${INSTANCE}}`, '0x144 20x80', '0x144 5x80'),
  BusbarReadingPaused: same(`busbar_gateway_paused_sockets{${INSTANCE}}`, '50x180', '50x144 5x80'),
  BusbarStoreUnavailable: same(`busbar_store_unavailable_seconds{${INSTANCE}}`, '0x144 0+60x80', '0x144 5x80'),
  BusbarReplicaOnStandby: once(`busbar_state_standby_total{${INSTANCE}}`),
  BusbarEventsWait: same(`busbar_push_waiting_events{${INSTANCE}}`, '0+200x180', '36000-100x180'),
  BusbarWebhooksFail: [
    { [`${WEBHOOKS}{${INSTANCE},status="failing"}`]: '5x180', [`${WEBHOOKS}{${INSTANCE},status="active"}`]: '0x180' },
    { [`${WEBHOOKS}{${INSTANCE},status="failing"}`]: '5x180', [`${WEBHOOKS}{${INSTANCE},status="active"}`]: '1x180' },
  ],
  BusbarBatchesFail: same(`busbar_state_failed_batches_total{${INSTANCE}}`, '0+1x180', '0+1x50 50x130'),
  BusbarBacklogGrows: same(`busbar_state_waiting{${INSTANCE},queue="reports"}`, '0+100x180', '18000-100x180'),
  BusbarDeadLetters: once(`busbar_state_dead_letters_total{${INSTANCE},kind="frame"}`),
  BusbarDeadLettersExpired: once(`busbar_state_expired_dead_letters_total{${INSTANCE}}`),
  BusbarMessagesTooNew: same(`busbar_state_newer_bodies_total{${INSTANCE},queue="reports"}`, '0+1x180', '5x180'),
  BusbarUnsendableReports: once(`busbar_gateway_unsendable_total{${INSTANCE},kind="frame"}`),
  BusbarUpgradesRejected: [
    { [`${UPGRADES}{${INSTANCE},result="store_unavailable"}`]: '0+60x180' },
    { [`${UPGRADES}{${INSTANCE},result="unauthorized"}`]: '0+60x180' },
  ],
  BusbarGatewayFull: [
    { [`${UPGRADES}{${INSTANCE},result="full"}`]: '0x144 5x80' },
    { [`${UPGRADES}{${INSTANCE},result="accepted"}`]: '0+5x180' },
  ],
  BusbarConnectionsFell: same(`busbar_gateway_connections{${INSTANCE}}`, '1000x147 500x80', '1000x147 900x80'),
  BusbarGatewayDied: once(`busbar_state_lapsed_gateways_total{${INSTANCE}}`),
  BusbarGatewayLostLease: once(`busbar_gateway_new_ids_total{${INSTANCE}}`),
  BusbarSlowAnswers: slow('busbar_gateway_answer_seconds', `${INSTANCE},action="Heartbeat"`),
  BusbarSlowConfirms: slow('busbar_broker_confirm_seconds', `${INSTANCE},outcome="confirmed"`),
  BusbarSlowBatches: slow('busbar_state_batch_seconds', `${INSTANCE},outcome="applied"`),
  BusbarSlowStore: slow('busbar_store_call_seconds', `${INSTANCE},collection="chargers",operation="find"`),
  BusbarSlowRequests: slow('busbar_http_request_duration_seconds', `${INSTANCE},api="v2",method="GET"`),
  BusbarRequestsFail: [
    {
      [`${REQUESTS}{${INSTANCE},api="v2",status="500"}`]: '0+6x180',
      [`${REQUESTS}{${INSTANCE},api="v2",status="200"}`]: '0+60x180',
    },
    {
      [`${REQUESTS}{${INSTANCE},api="v2",status="500"}`]: '0+1x180',
      [`${REQUESTS}{${INSTANCE},api="v2",status="200"}`]: '0+60x180',
    },
  ],
  BusbarCommandsUndelivered: [
    {
      [`${COMMANDS}{${INSTANCE},outcome="nobody"}`]: '0+6x180',
      [`${COMMANDS}{${INSTANCE},outcome="answered"}`]: '0+30x180',
    },
    {
      [`${COMMANDS}{${INSTANCE},outcome="nobody"}`]: '0+1x180',
      [`${COMMANDS}{${INSTANCE},outcome="answered"}`]: '0+30x180',
    },
  ],
  BusbarTransactionIdsRunOut: same(`busbar_state_transaction_ids_left{${INSTANCE}}`, '1000x180', '2000000000x180'),
  BusbarRetentionSuspended: same(`busbar_state_retention_suspended{${INSTANCE}}`, '1x180', '1x50 0x130'),
  BusbarStoreNotSettled: same(`busbar_store_settled{${INSTANCE}}`, '0x180', '0x50 1x130'),
  BusbarMigrationLasts: [
    { [`${MIGRATED}{${INSTANCE}}`]: '0+100x180', [`${SCHEMA}{${INSTANCE}}`]: '0x180' },
    { [`${MIGRATED}{${INSTANCE}}`]: '0+100x120 12000x60', [`${SCHEMA}{${INSTANCE}}`]: '0x120 2x60' },
  ],
  BusbarVersionsDiffer: [
    {
      [`busbar_build_info{${INSTANCE},version="1.0.0",revision="a"}`]: '1x180',
      [`busbar_build_info{${OWN},instance="b",version="1.1.0",revision="b"}`]: '1x180',
    },
    {
      [`busbar_build_info{${INSTANCE},version="1.0.0",revision="a"}`]: '1x180',
      [`busbar_build_info{${OWN},instance="b",version="1.0.0",revision="a"}`]: '1x180',
    },
  ],
  BusbarCertificateEnds: same(`busbar_tls_certificate_expiry_seconds{${INSTANCE}}`, '864000x180', '8640000x180'),
  BusbarFewDescriptors: [
    { [`process_open_fds{${INSTANCE}}`]: '900x180', [`process_max_fds{${INSTANCE}}`]: '1000x180' },
    { [`process_open_fds{${INSTANCE}}`]: '700x180', [`process_max_fds{${INSTANCE}}`]: '1000x180' },
  ],
  BusbarEventLoopLags: same(`nodejs_eventloop_lag_p99_seconds{${INSTANCE}}`, '1x180', '0.1x180'),
  BusbarRestarts: same(`process_start_time_seconds{${INSTANCE}}`, '1x135 2x2 3x2 4x45', '1x135 2x45'),
  BusbarNoReadyGateway: same(
    `${DEPLOYMENT}{namespace="charging",deployment="charge-busbar-gateway"}`,
    '2x144 0x80',
    '2x144 1x80',
  ),
  BusbarServiceNotReady: same(
    `${DEPLOYMENT}{namespace="charging",deployment="charge-busbar-charger-state"}`,
    '2x144 0x80',
    '2x144 1x80',
  ),
  BusbarOneProcessNotReady: same(
    'kube_statefulset_status_replicas_ready{namespace="charging",statefulset="charge-busbar-all-in-one"}',
    '1x144 0x80',
    '1x180',
  ),
  BusbarEvictionsBlocked: same(
    `${BUDGET}{namespace="charging",poddisruptionbudget="charge-busbar-v2-api"}`,
    '0x180',
    '0x50 1x130',
  ),
  BusbarBackupFailed: [failedBackup('5000x224'), failedBackup('5000x148 8800x76')],
  BusbarPartitionsUnsubscribed: [
    { [partition(0)]: '2x180', [partition(1)]: '2x144 0x80' },
    { [partition(0)]: '2x180', [partition(1)]: '2x144 1x80' },
  ],
  BusbarQueuesWithoutLeader: [
    // A leader shows its queue: here there is none.
    { ...OWNED, [partition(0)]: '2x144 stale', [partition(1)]: '2x144 stale' },
    { ...OWNED, [partition(0)]: '2x180', [partition(1)]: '2x144 stale 2x80' },
  ],
};
/** Minute at which it is looked: 5 min after what happens at the minute 145. */
const LOOK_AT = '150m';

const rule = objectOf(
  render(minimalValues({ monitoring: { rules: { enabled: true, runbookBaseUrl: 'https://example.com/' } } })),
  'PrometheusRule',
);
const groups = specOf(rule)['groups'] as readonly {
  rules: readonly { alert: string; annotations: Record<string, string> }[];
}[];
const alerts = groups.flatMap(({ rules }) => rules);

const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;
const withPromtool = hasPromtool || process.env['REQUIRE_REAL_SERVERS'] === '1' ? describe : describe.skip;

it('has a case for each alert, and an alert for each case', () => {
  expect(Object.keys(CASES).toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
});

it('leads each alert to its entry in the runbook', () => {
  for (const { alert, annotations } of alerts) {
    expect(annotations['runbook_url']).toBe(`https://example.com/docs/runbook.md#${alert.toLowerCase()}`);
  }
});

withPromtool('the alert', () => {
  let directory: string;

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-alerts-'));
  });

  afterAll(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  it.each(Object.entries(CASES))('fires and stays silent when it should: %s', (alert, [firing, silent]) => {
    const file = join(directory, `${alert}.yml`);
    // Alone: otherwise each of its minutes evaluates all others too.
    const rules = groups.flatMap((group) => group.rules.filter((each) => each.alert === alert));
    writeFileSync(join(directory, `${alert}.rules.yml`), stringify({ groups: [{ name: alert, rules }] }));
    writeFileSync(
      file,
      stringify({
        rule_files: [`${alert}.rules.yml`],
        evaluation_interval: '1m',
        tests: [testOf(alert, firing, 1), testOf(alert, silent, 0), testOf(alert, ofAnotherRelease(firing), 0)],
      }),
    );
    expect(() =>
      execFileSync('promtool', ['test', 'rules', file], { cwd: directory, stdio: 'pipe', encoding: 'utf8' }),
    ).not.toThrow();
  });
});

/** The same, of a release in another namespace that the same Prometheus reads. */
function ofAnotherRelease(series: Series): Series {
  const entries = Object.entries(series);
  return Object.fromEntries(entries.map(([name, values]) => [name.replace('"charging"', '"staging"'), values]));
}

function testOf(alert: string, series: Series, firing: number): unknown {
  return {
    name: `${alert} ${firing === 1 ? 'fires' : 'stays silent'}`,
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: `count by (namespace, release) (ALERTS{alertname="${alert}",alertstate="firing"})`,
        eval_time: LOOK_AT,
        exp_samples: firing === 1 ? [{ labels: '{namespace="charging",release="charge"}', value: 1 }] : [],
      },
    ],
  };
}
