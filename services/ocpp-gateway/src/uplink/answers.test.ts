import { createMetrics } from '@busbar/runtime';
import { createRecordingLogger } from '@busbar/testing';
import { send } from './answers';
import type { Connection } from '../connection/connection';
import { createGatewayMetrics } from '../gateway-metrics';

/** A socket that holds what its peer leaves unread. */
function openWorld() {
  const metrics = createMetrics();
  const deps = { logger: createRecordingLogger(), metrics: createGatewayMetrics(metrics) };
  const socket = {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send: (text: string) => void (socket.bufferedAmount += text.length),
    terminate: () => void (socket.readyState = 3),
  };
  const connection = { chargerId: 'C', connectionId: 'c', socket } as unknown as Connection;
  return { socket, deps, metrics, sendText: (length: number) => send(deps, connection, 'x'.repeat(length)) };
}

describe('a charger that does not read its answers', () => {
  it('has its socket terminated beyond a megabyte, with one log line', async () => {
    const { socket, deps, metrics, sendText } = openWorld();
    sendText(1_000_000);
    expect(socket.readyState).toBe(1);
    sendText(100_000);
    expect(socket.readyState).toBe(3);
    sendText(100_000);
    expect(socket.bufferedAmount).toBe(1_100_000);
    expect(deps.logger.lines).toMatchObject([{ level: 'info', fields: { chargerId: 'C' } }]);
    expect(await metrics.text()).toContain('busbar_gateway_slow_readers_total 1');
  });

  it('stays connected while it reads', () => {
    const { socket, sendText } = openWorld();
    for (let time = 0; time < 50; time += 1) {
      sendText(1_000_000);
      socket.bufferedAmount = 0;
    }
    expect(socket.readyState).toBe(1);
  });
});
