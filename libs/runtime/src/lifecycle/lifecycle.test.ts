import { AppError, type Service } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createLifecycle } from './lifecycle';

function world() {
  const events: string[] = [];
  const service = (name: string, over: Partial<Service> = {}): Service => ({
    name,
    start: () => {
      events.push(`start ${name}`);
      return Promise.resolve();
    },
    stop: () => {
      events.push(`stop ${name}`);
      return Promise.resolve();
    },
    ready: () => true,
    ...over,
  });
  const logger = createRecordingLogger();
  return { events, service, logger };
}

it('starts services in order and stops them in reverse, once however often it is asked', async () => {
  const { events, service, logger } = world();
  const all = createLifecycle({ name: 'all', logger, services: [service('store'), service('broker'), service('api')] });
  await all.start();
  await all.start();
  await Promise.all([all.stop(), all.stop()]);
  await all.stop();
  expect(events).toEqual(['start store', 'start broker', 'start api', 'stop api', 'stop broker', 'stop store']);
});

it('is ready when all are, and becomes unready before any service stops', async () => {
  const { service, logger } = world();
  const seen: boolean[] = [];
  let ready = false;
  const all = createLifecycle({
    name: 'all',
    logger,
    services: [
      service('store', { ready: () => ready }),
      service('api', {
        stop: () => {
          seen.push(all.ready());
          return Promise.resolve();
        },
      }),
    ],
  });
  expect([all.running(), all.ready()]).toEqual([false, false]);
  await all.start();
  expect([all.running(), all.ready()]).toEqual([true, false]);
  ready = true;
  expect(all.ready()).toBe(true);
  await all.stop();
  expect(all.running()).toBe(false);
  expect(seen).toEqual([false]);
});

it('stops the services before one that fails to start, and gives its error', async () => {
  const { events, service, logger } = world();
  const taken = new AppError('invalid_configuration', 'Port 1 is taken.');
  const all = createLifecycle({
    name: 'all',
    logger,
    services: [service('store'), service('api', { start: () => Promise.reject(taken) }), service('gateway')],
  });
  await expect(all.start()).rejects.toBe(taken);
  expect(events).toEqual(['start store', 'stop api', 'stop store']);
  expect(all.ready()).toBe(false);
});

it('names a service in the error that does not start in time', async () => {
  const { service, logger } = world();
  const all = createLifecycle({
    name: 'all',
    logger,
    startWithinMs: 20,
    services: [service('broker', { start: () => new Promise(() => undefined) })],
  });
  await expect(all.start()).rejects.toThrow(/^broker did not start within/);
});

it('logs a service that does not stop in time, or fails to, and stops the others', async () => {
  const { events, service, logger } = world();
  const all = createLifecycle({
    name: 'all',
    logger,
    stopWithinMs: 20,
    services: [
      service('store'),
      service('slow', { stop: () => new Promise(() => undefined) }),
      service('broken', { stop: () => Promise.reject(new Error('no')) }),
    ],
  });
  await all.start();
  await all.stop();
  expect(events).toContain('stop store');
  expect(logger.lines.map((line) => line.fields['service'])).toEqual(['broken', 'slow']);
});

it('starts no further service after a stop while starting, and stops those that were', async () => {
  const { events, service, logger } = world();
  let started = (): void => undefined;
  const all = createLifecycle({
    name: 'all',
    logger,
    services: [service('store', { start: () => new Promise((resolve) => (started = resolve)) }), service('api')],
  });
  const starting = all.start();
  const stopping = all.stop();
  started();
  await Promise.all([starting, stopping]);
  expect(events).toEqual(['stop store']);
});
