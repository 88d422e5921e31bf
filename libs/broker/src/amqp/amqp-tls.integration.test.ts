import { createAuthority, createRecordingLogger, describeWithRabbitTls, type Authority } from '@busbar/testing';
import { createAmqpBroker } from './amqp-broker';
import type { AmqpTls } from './settings';

let authority: Authority;

async function serverPems() {
  authority = await createAuthority('Test authority');
  return { ca: authority.cert, ...(await authority.issue('rabbit', { addresses: ['127.0.0.1'] })) };
}

describeWithRabbitTls('a broker on a RabbitMQ that demands a client certificate', serverPems, (server) => {
  const open = (tls: AmqpTls) =>
    createAmqpBroker({ url: server().url, logger: createRecordingLogger(), readTls: () => tls });

  it('connects with a trusted authority and a certificate, and reads them for each connection', async () => {
    const { cert, key } = await authority.issue('busbar');
    let reads = 0;
    const broker = createAmqpBroker({
      url: server().url,
      logger: createRecordingLogger(),
      readTls() {
        reads += 1;
        return { ca: [authority.cert], cert, key };
      },
    });
    await broker.start();
    expect([broker.ready(), reads]).toEqual([true, 2]);
    await broker.stop();
  });

  it('rejects a server whose certificate another authority signed, and names the variable', async () => {
    const broker = open({ ca: [(await createAuthority('Another')).cert], ...(await authority.issue('busbar')) });
    await expect(broker.start()).rejects.toThrow(
      /: set BROKER_CA_FILE to the authority that signed its certificate or correct BROKER_URL\.$/,
    );
    await broker.stop();
  });

  it('rejects a start without the client certificate that the server demands, and names the variables', async () => {
    const broker = open({ ca: [authority.cert] });
    await expect(broker.start()).rejects.toThrow(/set BROKER_CERT_FILE and BROKER_KEY_FILE/);
    await broker.stop();
  });
});
