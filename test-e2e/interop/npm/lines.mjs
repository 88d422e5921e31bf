// The line protocol of the interoperability tests (README.md beside this folder), for chargers that run on Node.
import { createInterface } from 'node:readline';

/**
 * Carries out what comes on standard input until it ends. `start` is given the functions that report events and gives what a charger
 * can do: `connect`, `call`, `close`, each a promise.
 */
export function serve(start) {
  const charger = start({
    called: (action, payload) => writeLine({ event: 'call', action, payload }),
    complain: (text) => writeLine({ event: 'complaint', text }),
    closed: (code) => writeLine({ event: 'closed', code }),
  });
  const orders = createInterface({ input: process.stdin });
  orders.on('line', (line) => void carryOut(charger, JSON.parse(line)));
  orders.on('close', () => process.exit(0));
}

async function carryOut(charger, { id, do: what, ...order }) {
  try {
    writeLine({ id, result: (await charger[what](order)) ?? {} });
  } catch (error) {
    writeLine({
      id,
      error: { code: error.rpcErrorCode ?? error.code ?? error.name, text: String(error.message ?? error) },
    });
  }
}

function writeLine(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
