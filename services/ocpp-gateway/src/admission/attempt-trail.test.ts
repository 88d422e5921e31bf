import type { Broker } from '@busbar/broker';
import type { ConnectionAttempt } from '@busbar/contracts';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { createAttemptTrail } from './attempt-trail';
import type { GatewayMetrics } from '../gateway-metrics';

it('logs and reports a known charger after 5,000 invented ids of another network', async () => {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const stored: ConnectionAttempt[] = [];
  const broker = {
    ready: () => true,
    request: (_channel: unknown, _key: string, { attempts }: { attempts: readonly ConnectionAttempt[] }) => {
      stored.push(...attempts);
      return Promise.resolve({ outcome: 'answered', answer: { stored: attempts.length } });
    },
  } as unknown as Broker;
  const droppedAttempts = { inc: () => undefined } as unknown as GatewayMetrics['droppedAttempts'];
  const trail = createAttemptTrail({ broker, clock, logger, settings: { strict: false } }, { droppedAttempts });
  trail.start();
  for (let n = 0; n < 5_000; n += 1) {
    const request = { url: `/ocpp/NEW_${String(n)}`, headers: {} };
    const from = { address: '203.0.113.9' };
    trail.rejected({ request, from, reason: 'unknown_charger', charger: 'unknown' });
  }
  const request = { url: '/ocpp/ACME_1', headers: {} };
  trail.rejected({ request, from: { address: '198.51.100.7' }, reason: 'unauthorized', charger: 'known' });
  expect(logger.lines.at(-1)?.fields).toMatchObject({ chargerId: 'ACME_1', reason: 'unauthorized' });
  const found = await eventually(async () => {
    clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
    return stored.find(({ chargerId }) => chargerId === 'ACME_1');
  });
  expect(found).toMatchObject({ reason: 'unauthorized', count: 1, remoteAddress: '198.51.100.7' });
  await trail.stop();
});
