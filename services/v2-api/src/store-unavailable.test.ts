import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRequestLimits } from '@busbar/http';
import { createChargerLink, createPlatform, selfSignedPair } from '@busbar/runtime';
import { ask, createRecordingLogger } from '@busbar/testing';
import { createV2Api } from './service';

describe('the newer API while the store is away', () => {
  it('answers 503 with Retry-After at once, still refuses first what comes first, and serves its document', async () => {
    const logger = createRecordingLogger();
    const directory = mkdtempSync(join(tmpdir(), 'busbar-v2-away-'));
    const platform = createPlatform({
      brokerUrl: 'memory:',
      storeUrl: `file:${directory}`,
      logger,
      clock: systemClock,
    });
    await platform.start();
    const api = createV2Api({
      ...{ records: platform.records, logger, clock: systemClock, trustedProxies: [] },
      ...{ link: createChargerLink(platform.broker), commandTimeoutS: 30, maskKeys: [] },
      requestLimits: createRequestLimits({ perKey: 100 }, systemClock),
      ...{ host: '127.0.0.1', port: 0, tls: await selfSignedPair(directory, systemClock) },
    });
    await api.start();
    await platform.stop();

    const origin = `https://127.0.0.1:${String(api.address().port)}/v2`;
    const headers = { 'x-api-key': 'bb_whatever' };
    const reply = await ask(`${origin}/chargers/ACME_1`, { headers });
    expect([reply.status, reply.json()['code'], reply.headers['retry-after']]).toEqual([503, 'unavailable', '5']);
    const failed = logger.lines.filter(({ message }) => message === 'request failed');
    expect(failed.map(({ level, fields }) => [level, 'err' in fields])).toEqual([['warn', false]]);
    expect((await ask(`${origin}/nothing`, { headers })).status).toBe(404);
    expect((await ask(`${origin}/chargers/ACME_1`)).status).toBe(401);
    expect((await ask(`${origin}/openapi.json`)).status).toBe(200);

    await api.stop();
    rmSync(directory, { recursive: true });
  });
});
