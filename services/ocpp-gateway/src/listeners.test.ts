import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import type { UpgradeConnection } from '@busbar/http';
import { createMetrics } from '@busbar/runtime';
import { ask, createRecordingLogger, writeServerPair } from '@busbar/testing';
import { createListeners, type Listeners } from './listeners';
import type { AcceptUpgrade } from './service';

const FORWARDED = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };
const HEADERS = { connection: 'Upgrade', upgrade: 'websocket', ...FORWARDED };

describe('the ports of a gateway in its own process', () => {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-ports-'));
  let upgrades: UpgradeConnection[];
  let requests: unknown[];
  let refused: unknown[];
  let listeners: Listeners;

  afterEach(async () => {
    await listeners.main.stop();
    await listeners.plain?.stop();
  });

  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  async function open(isTlsEndedHere: boolean): Promise<void> {
    upgrades = [];
    requests = [];
    refused = [];
    const onUpgrade: AcceptUpgrade = (_request, socket, _head, connection) => {
      upgrades.push(connection);
      socket.destroy();
    };
    listeners = createListeners({
      gateway: {
        acceptsUpgrade: () => true,
        handleRequest(_request, response, from) {
          requests.push(from.address);
          response.end();
        },
        handleRefused: (_request, { code, from }) => void refused.push([code, from.address]),
        handleUpgrade: onUpgrade,
        handlePlainUpgrade: onUpgrade,
        applyRevocations: () => undefined,
      },
      settings: {
        host: '127.0.0.1',
        port: 0,
        plainPort: 0,
        plainHost: undefined,
        trustedProxies: ['127.0.0.1'],
        maxConnections: 10,
        maxSocketsPerAddress: 0,
      },
      tls: isTlsEndedHere ? await writeServerPair(directory) : undefined,
      clock: systemClock,
      logger: createRecordingLogger(),
      metrics: createMetrics(),
    });
    await listeners.main.start();
    await listeners.plain?.start();
  }

  async function upgrade(scheme: 'http' | 'https', port = 0): Promise<UpgradeConnection | undefined> {
    await expect(ask(`${scheme}://127.0.0.1:${String(port)}/ocpp/A`, { headers: HEADERS })).rejects.toThrow();
    return upgrades.at(-1);
  }

  it('ignores forwarded headers where the gateway terminates TLS', async () => {
    await open(true);
    const port = listeners.main.address().port;
    expect(await upgrade('https', port)).toMatchObject({ address: '127.0.0.1', secure: true });
    expect(await upgrade('http', port)).toMatchObject({ address: '127.0.0.1', secure: false });
  });

  it('trusts a configured proxy on the port for plain ws, and on the main port where the proxy terminates TLS', async () => {
    await open(true);
    const forwarded = { address: '203.0.113.7', secure: true };
    expect(await upgrade('http', listeners.plain?.address().port)).toMatchObject(forwarded);
    await listeners.main.stop();
    await listeners.plain?.stop();
    await open(false);
    expect(await upgrade('http', listeners.main.address().port)).toMatchObject(forwarded);
  });

  it('names the sender of an ordinary request as a trusted proxy forwards it', async () => {
    await open(true);
    await ask(`https://127.0.0.1:${String(listeners.main.address().port)}/ocpp/A`, { headers: FORWARDED });
    await ask(`http://127.0.0.1:${String(listeners.plain?.address().port)}/ocpp/A`, { headers: FORWARDED });
    expect(requests).toEqual(['127.0.0.1']);
    expect(refused).toEqual([['https_required', '203.0.113.7']]);
    await listeners.main.stop();
    await listeners.plain?.stop();
    await open(false);
    await ask(`http://127.0.0.1:${String(listeners.main.address().port)}/ocpp/A`, { headers: FORWARDED });
    expect(requests).toEqual(['203.0.113.7']);
  });
});
