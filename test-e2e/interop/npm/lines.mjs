// The line protocol of the interoperability tests (README.md beside this folder), for chargers that run on Node.
import { createInterface } from 'node:readline';

/**
 * Carries out what comes on standard input until it ends. `start` is given the way to tell events and gives what a charger
 * can do: `connect`, `call`, `close`, each a promise.
 */
export function serve(start) {
  const charger = start({
    called: (action, payload) => tell({ event: 'call', action, payload }),
    complain: (text) => tell({ event: 'complaint', text }),
    closed: (code) => tell({ event: 'closed', code }),
  });
  const orders = createInterface({ input: process.stdin });
  orders.on('line', (line) => void carryOut(charger, JSON.parse(line)));
  orders.on('close', () => process.exit(0));
}

async function carryOut(charger, { id, do: what, ...order }) {
  try {
    tell({ id, result: (await charger[what](order)) ?? {} });
  } catch (error) {
    tell({ id, error: { code: error.rpcErrorCode ?? error.code ?? error.name, text: String(error.message ?? error) } });
  }
}

function tell(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
