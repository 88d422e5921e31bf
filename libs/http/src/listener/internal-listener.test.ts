import { systemClock } from '@busbar/core';
import { ask, createFakeClock } from '@busbar/testing';
import { createInternalListener, type InternalListener } from './internal-listener';
import { createReadiness, type HealthCheck } from './readiness';

function check(name: string, isOk: () => boolean, required = true): HealthCheck {
  return { name, required, isOk, details: { ok: `${name} works`, failing: `${name} fails` } };
}

describe('the internal port', () => {
  const about = { service: 'v2-api', version: '1.2.3' };
  let isReady = true;
  let readMetrics: () => Promise<{ contentType: string; text: string }>;
  let listener: InternalListener;

  beforeEach(async () => {
    isReady = true;
    readMetrics = () => Promise.resolve({ contentType: 'text/plain; version=0.0.4', text: 'busbar_up 1\n' });
    listener = createInternalListener({
      host: '127.0.0.1',
      port: 0,
      clock: systemClock,
      checks: () => [check('store', () => isReady), check('broker', () => false, false)],
      readMetrics: () => readMetrics(),
      about,
    });
    await listener.start();
  });

  afterEach(() => listener.stop());

  const get = (path: string, method = 'GET') =>
    ask(`http://127.0.0.1:${String(listener.address().port)}${path}`, { method });

  it('is live during outages, and ready only while the process can work', async () => {
    const ready = await get('/readyz');
    expect(ready.status).toBe(200);
    expect(ready.json()).toEqual({
      ready: true,
      checks: [
        { name: 'store', ok: true, required: true, since: expect.any(String) as string, detail: 'store works' },
        { name: 'broker', ok: false, required: false, since: expect.any(String) as string, detail: 'broker fails' },
      ],
    });
    isReady = false;
    const unready = await get('/readyz');
    expect(unready.status).toBe(503);
    expect(unready.json()).toMatchObject({ ready: false, checks: [{ name: 'store', ok: false }, {}] });
    expect((await get('/livez')).status).toBe(200);
  });

  it('shows on /livez which build responds', async () => {
    expect((await get('/livez')).json()).toEqual({ status: 'live', service: 'v2-api', version: '1.2.3' });
  });

  it('shows since when each check has its state, while nobody asks too', () => {
    const clock = createFakeClock();
    let isOk = true;
    const readiness = createReadiness(() => [check('store', () => isOk)], clock);
    readiness.start();
    const sinceOf = () => readiness.report().checks[0]?.since;
    const began = sinceOf();
    clock.advance(60_000);
    expect(sinceOf()).toBe(began);
    isOk = false;
    clock.advance(1_000);
    const failedAt = clock.now().toISOString();
    clock.advance(60_000);
    expect(sinceOf()).toBe(failedAt);
    readiness.stop();
  });

  it('shows the metrics, and 500 when they cannot be read', async () => {
    const reply = await get('/metrics?x=1');
    expect([reply.headers['content-type'], reply.text]).toEqual(['text/plain; version=0.0.4', 'busbar_up 1\n']);
    readMetrics = () => Promise.reject(new Error('broken'));
    expect((await get('/metrics')).status).toBe(500);
  });

  it('responds 404 to other paths', async () => {
    expect((await get('/v2/sites')).status).toBe(404);
    expect((await get('/livez', 'POST')).status).toBe(405);
  });

  it('rejects a taken port with a sentence that names the variable', async () => {
    const { port } = listener.address();
    const second = createInternalListener({
      host: '127.0.0.1',
      port,
      clock: systemClock,
      checks: () => [],
      readMetrics,
      about,
    });
    await expect(second.start()).rejects.toThrow(
      `Port ${String(port)} at 127.0.0.1 is taken by another process: stop that one or set INTERNAL_PORT to another port.`,
    );
    await second.stop();
  });

  it('stops more than once, and before it was started', async () => {
    await listener.stop();
    await listener.stop();
    await createInternalListener({
      host: '127.0.0.1',
      port: 0,
      clock: systemClock,
      checks: () => [],
      readMetrics,
      about,
    }).stop();
  });
});
