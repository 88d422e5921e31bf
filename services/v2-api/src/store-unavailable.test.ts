import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApi } from '@busbar/api';
import { systemClock } from '@busbar/core';
import { createRequestLimits } from '@busbar/http';
import { createAuthorizationLink, createChargerLink, createPlatform, createPushLink } from '@busbar/runtime';
import { ask, createRecordingLogger, eventually, writeServerPair } from '@busbar/testing';
import { v2Api } from './app';

describe('the v2 API while the store is unavailable', () => {
  it('responds 503 with Retry-After immediately, keeps the order of rejections, and serves its document', async () => {
    const logger = createRecordingLogger();
    const directory = mkdtempSync(join(tmpdir(), 'busbar-v2-unavailable-'));
    const platform = createPlatform({
      brokerUrl: 'memory:',
      storeUrl: `file:${directory}`,
      logger,
      clock: systemClock,
    });
    await platform.start();
    const api = createApi(v2Api, {
      host: '127.0.0.1',
      port: 0,
      tls: await writeServerPair(directory),
      records: platform.records,
      link: createChargerLink({ broker: platform.broker, clock: systemClock }),
      authorizationLink: createAuthorizationLink(platform.broker),
      pushLink: createPushLink(platform.broker),
      clock: systemClock,
      logger,
      trustedProxies: [],
      requestLimits: createRequestLimits({ perKey: 100 }, systemClock),
      commandTimeoutS: 30,
      maskKeys: [],
    });
    await api.start();
    await platform.stop();

    const origin = `https://127.0.0.1:${String(api.address().port)}/v2`;
    const headers = { 'x-api-key': 'bb_whatever' };
    const reply = await ask(`${origin}/chargers/ACME_1`, { headers });
    expect([reply.status, reply.json()['code'], reply.headers['retry-after']]).toEqual([503, 'unavailable', '5']);
    const failed = await eventually(() => logger.lines.find(({ message }) => message === 'request failed'));
    expect([failed.level, 'err' in failed.fields]).toEqual(['warn', false]);
    expect((await ask(`${origin}/nothing`, { headers })).status).toBe(404);
    expect((await ask(`${origin}/chargers/ACME_1`)).status).toBe(401);
    expect((await ask(`${origin}/openapi.json`)).status).toBe(200);

    await api.stop();
    rmSync(directory, { recursive: true });
  });
});
