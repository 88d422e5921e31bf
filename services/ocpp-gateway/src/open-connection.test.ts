import type { Connection } from './connection/connection';
import { announceConnected } from './open-connection';
import type { PublishResult } from './connection/report-publisher';
import type { Publisher } from './uplink/publisher';

/** A line to the broker whose confirms the test gives. */
function openLine() {
  const told: string[] = [];
  const settle: ((settled: PublishResult) => void)[] = [];
  let gatewayId = 'g1';
  const publisher: Pick<Publisher, 'publish' | 'gatewayId'> = {
    gatewayId: () => gatewayId,
    publish(_connection, kind, _part, done) {
      told.push(`${kind} ${gatewayId}`);
      settle.push(done);
    },
  };
  const connection = { peer: '', deviations: [], seq: 0, announcedAs: undefined } as unknown as Connection;
  return {
    told,
    tell: () => announceConnected(publisher, connection),
    settleFirst: () => settle.shift()?.('confirmed'),
    goOnAs: (id: string) => {
      gatewayId = id;
    },
  };
}

describe('that a connection is open', () => {
  it('is told again at each reconnect of the broker, but not while it is still in the line', () => {
    const { told, tell, settleFirst } = openLine();
    tell();
    tell();
    tell();
    expect(told).toEqual(['connected g1']);
    settleFirst();
    tell();
    expect(told).toEqual(['connected g1', 'connected g1']);
  });

  it('is told under a new id of the gateway, whatever is in the line under the old one', () => {
    const { told, tell, settleFirst, goOnAs } = openLine();
    tell();
    goOnAs('g2');
    tell();
    settleFirst();
    tell();
    expect(told).toEqual(['connected g1', 'connected g2']);
  });
});
