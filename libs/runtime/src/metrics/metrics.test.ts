import { createMetrics } from './metrics';

it('shows metrics in Prometheus text, with their labels', async () => {
  const metrics = createMetrics();
  metrics.counter({ name: 'frames_total', help: 'Frames.', labels: ['action'] }).inc({ action: 'Heartbeat' }, 2);
  metrics.gauge({ name: 'connections', help: 'Connections.' }).set({}, 3);
  metrics.observed({ name: 'queue', help: 'Waiting.' }, () => 7);
  metrics
    .histogram({ name: 'wait_seconds', help: 'Waits.', buckets: [1, 10] })
    .child({})
    .observe(5);
  const text = await metrics.text();
  expect(text).toContain('frames_total{action="Heartbeat"} 2');
  expect(text).toContain('connections 3');
  expect(text).toContain('queue 7');
  expect(text).toContain('wait_seconds_bucket{le="10"} 1');
});

it('shows the initial labels of a counter as zero', async () => {
  const metrics = createMetrics();
  metrics.counter({ name: 'letters_total', help: 'Letters.', labels: ['kind'], initial: [{ kind: 'failed' }] });
  expect(await metrics.text()).toContain('letters_total{kind="failed"} 0');
});

it('gives the same metric for the same name', async () => {
  const metrics = createMetrics();
  metrics.counter({ name: 'frames_total', help: 'Frames.' }).inc({});
  metrics.counter({ name: 'frames_total', help: 'Frames.' }).inc({});
  expect(await metrics.text()).toContain('frames_total 2');
});

it('shares nothing between two registries', async () => {
  const first = createMetrics();
  createMetrics().counter({ name: 'frames_total', help: 'Frames.' }).inc({});
  expect(await first.text()).not.toContain('frames_total');
});

it('limits label values: further ones count as other', async () => {
  const metrics = createMetrics();
  const counter = metrics.counter({ name: 'frames_total', help: 'Frames.', labels: ['action'] });
  for (let i = 0; i < 1000; i += 1) counter.inc({ action: `action-${String(i)}` });
  const text = await metrics.text();
  expect(text.split('\n').filter((line) => line.startsWith('frames_total{'))).toHaveLength(201);
  expect(text).toContain('frames_total{action="other"} 800');
});

it('calls the latest reader of an observed gauge', async () => {
  const metrics = createMetrics();
  metrics.observed({ name: 'queue', help: 'Waiting.' }, () => 1);
  metrics.observed({ name: 'queue', help: 'Waiting.' }, () => 2);
  expect(await metrics.text()).toContain('queue 2');
});

describe('a histogram', () => {
  it('counts each value in its bucket and all greater ones, by labels', async () => {
    const metrics = createMetrics();
    const waits = metrics.histogram({ name: 'wait_seconds', help: 'Waits.', labels: ['queue'], buckets: [0.1, 1] });
    const reports = waits.child({ queue: 'reports' });
    for (const value of [0.05, 0.1, 0.5, 7]) reports.observe(value);
    waits.child({ queue: 'a "b" \\' }).observe(0.25);
    expect((await metrics.text()).split('\n').filter((line) => line.includes('wait_seconds'))).toEqual([
      '# HELP wait_seconds Waits.',
      '# TYPE wait_seconds histogram',
      'wait_seconds_bucket{le="0.1",queue="reports"} 2',
      'wait_seconds_bucket{le="1",queue="reports"} 3',
      'wait_seconds_bucket{le="+Inf",queue="reports"} 4',
      'wait_seconds_sum{queue="reports"} 7.65',
      'wait_seconds_count{queue="reports"} 4',
      'wait_seconds_bucket{le="0.1",queue="a \\"b\\" \\\\"} 0',
      'wait_seconds_bucket{le="1",queue="a \\"b\\" \\\\"} 1',
      'wait_seconds_bucket{le="+Inf",queue="a \\"b\\" \\\\"} 1',
      'wait_seconds_sum{queue="a \\"b\\" \\\\"} 0.25',
      'wait_seconds_count{queue="a \\"b\\" \\\\"} 1',
    ]);
  });

  it('is shown before its first value, without labels', async () => {
    const metrics = createMetrics();
    metrics.histogram({ name: 'wait_seconds', help: 'Waits.', buckets: [1] });
    expect(await metrics.text()).toContain('wait_seconds_count 0');
  });
});
