import { AppError } from '@busbar/core';
import { RAISED_BY } from '@busbar/store';
import { misuse, positional, type AdminCommand } from './command';

const MAX_PARTITIONS = 256;
/** What was given since the backup may still wait in the broker, and chargers go on naming their transactions by it. */
const RAISED = `connection orders and transaction ids go on ${String(RAISED_BY)} above those of the backup, so that none is given twice`;

export const dataCommands: readonly AdminCommand[] = [
  {
    name: ['backup'],
    positionals: ['FILE'],
    options: {},
    flags: ['force'],
    about:
      "save the one-process mode's data, also while it runs, with a checksum in FILE.sha256; --force replaces a FILE",
    async run({ backup }, given) {
      if (backup === undefined) throw notHere('A document server has its own tools for backups');
      const file = positional(given, 0);
      await backup(file, { replace: given.flags.has('force') });
      return { lines: [`saved to ${file}`], data: { file } };
    },
  },
  {
    name: ['restore'],
    positionals: ['FILE'],
    options: {},
    about: 'bring back what backup saved; chargers are disconnected for a moment',
    async run({ restore }, given) {
      if (restore === undefined) throw notHere('A document server has its own tools for backups');
      const file = positional(given, 0);
      const { isVerified } = await restore(file);
      const unverified = isVerified ? [] : [`there is no ${file}.sha256: only the structure of the file was checked`];
      return {
        lines: [`brought back from ${file}`, ...unverified, RAISED],
        data: { file, isVerified, raisedBy: RAISED_BY },
      };
    },
  },
  {
    name: ['counters', 'raise'],
    positionals: [],
    options: {},
    question: `This raises every connection order and the transaction ids by ${String(RAISED_BY)}, which cannot be undone.`,
    about: "after a server's own tools brought a backup back, before anything starts on it",
    async run({ raiseCounters }) {
      if (raiseCounters === undefined) throw notHere('The store is not at hand');
      const chargers = await raiseCounters();
      return { lines: [RAISED], data: { chargers, raisedBy: RAISED_BY } };
    },
  },
  {
    name: ['partitions', 'set'],
    positionals: ['NUMBER'],
    options: {},
    about: 'another number of PARTITIONS; stop every process and let the queues run empty first',
    async run({ setPartitions }, given) {
      if (setPartitions === undefined) throw notHere('Stop the running process first');
      const text = positional(given, 0);
      const partitions = Number(text);
      if (!/^\d{1,3}$/.test(text) || partitions < 1 || partitions > MAX_PARTITIONS) {
        throw misuse(`NUMBER is a whole number from 1 to ${String(MAX_PARTITIONS)}.`);
      }
      await setPartitions(partitions);
      return { lines: [`set PARTITIONS=${text} for every process from now on`], data: { partitions } };
    },
  },
  {
    name: ['address'],
    positionals: [],
    options: {},
    about: 'where the running one-process mode answers',
    run({ addresses }) {
      if (addresses === undefined)
        throw notHere('Only a running one-process mode has an address: start it with "npm start"');
      const data = addresses();
      const plain = data.plainOcpp === null ? [] : [`without TLS  ${data.plainOcpp}`];
      return Promise.resolve({ lines: [`HTTPS        ${data.http}`, `chargers     ${data.ocpp}`, ...plain], data });
    },
  },
];

function notHere(reason: string): AppError {
  return new AppError('invalid_request', `${reason}.`);
}
