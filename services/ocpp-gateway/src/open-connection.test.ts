import type { Connection } from './connection/connection';
import { announceConnected } from './open-connection';
import type { PublishResult } from './connection/report-publisher';
import type { Publisher } from './uplink/publisher';

/** A publisher whose confirms the test gives. */
function openOutbox() {
  const published: string[] = [];
  const confirms: ((result: PublishResult) => void)[] = [];
  let gatewayId = 'g1';
  const publisher: Pick<Publisher, 'publish' | 'gatewayId'> = {
    gatewayId: () => gatewayId,
    publish(_connection, kind, _part, done) {
      published.push(`${kind} ${gatewayId}`);
      confirms.push(done);
    },
  };
  const connection = {
    connectedAt: new Date(0),
    peer: '',
    deviations: [],
    seq: 0,
    announcedAs: undefined,
  } as unknown as Connection;
  return {
    published,
    announce: () => announceConnected(publisher, connection),
    confirmFirst: () => confirms.shift()?.('confirmed'),
    renameTo: (id: string) => {
      gatewayId = id;
    },
  };
}

describe('announceConnected', () => {
  it('announces a connection again at each reconnect of the broker, unless an announcement is unconfirmed', () => {
    const { published, announce, confirmFirst } = openOutbox();
    announce();
    announce();
    announce();
    expect(published).toEqual(['connected g1']);
    confirmFirst();
    announce();
    expect(published).toEqual(['connected g1', 'connected g1']);
  });

  it('announces a connection under a new gateway id while the announcement under the old one is unconfirmed', () => {
    const { published, announce, confirmFirst, renameTo } = openOutbox();
    announce();
    renameTo('g2');
    announce();
    confirmFirst();
    announce();
    expect(published).toEqual(['connected g1', 'connected g2']);
  });
});
