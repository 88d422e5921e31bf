import { createId, systemClock } from '@busbar/core';
import { and, createMongoStore } from '@busbar/store';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMetrics } from '../metrics/metrics';
import { SCHEMA_VERSION } from '../migrations/migrations';
import { createStorePlatform } from '../platform/platform';
import { processesCollection } from './process-record';

describeWithDocumentServer('a process on MongoDB', (server) => {
  it('shows its service and its versions while it runs, and whether the store is settled', async () => {
    const url = new URL(server().url);
    url.pathname = `/heartbeat_${createId().toLowerCase()}`;
    const logger = createRecordingLogger();
    const observer = createMongoStore({ url: url.href, logger, clock: systemClock });
    const processes = observer.collection(processesCollection);
    await observer.start();
    const metrics = createMetrics();
    const version = { schema: SCHEMA_VERSION, program: '1.2.3' };
    const program = { service: 'v2-api', version };
    const platform = createStorePlatform(url.href, { logger, clock: systemClock, metrics, program });
    await platform.start();
    expect(await processes.find(and())).toMatchObject([{ service: 'v2-api', ...version, beat: 1 }]);
    expect(await metrics.text()).toContain('\nbusbar_store_settled 1\n');
    await platform.stop();
    expect(await processes.find(and())).toEqual([]);
    await observer.stop();
  });
});
