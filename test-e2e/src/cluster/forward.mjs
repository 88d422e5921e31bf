// Passes connections on: `node forward.mjs HOST PORT` listens on a free port of HOST, leads to PORT of loopback, and prints
// where it listens. A process of its own, so that a busy test slows nobody else down.
import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';

const [host, port] = process.argv.slice(2);
const server = createServer({ noDelay: true }, (client) => {
  const upstream = connect({ port: Number(port), host: '127.0.0.1', noDelay: true });
  const ignored = () => undefined;
  pipeline(client, upstream, ignored);
  pipeline(upstream, client, ignored);
});
server.listen(0, host, () => process.stdout.write(`${server.address().port}\n`));
