// Commands for backups, counters, partitions and addresses.
import { AppError } from '@busbar/core';
import { RAISED_BY } from '@busbar/store';
import { misuse, positional, type AdminCommand } from './command';

const MAX_PARTITIONS = 256;
const WITHOUT_KEY =
  'the backup does not contain the key of stored secrets (the file secrets-key of the data directory, or SECRETS_KEY): without the key of that day webhooks need new secrets';
/** Ids assigned after the backup may still be in the broker, and chargers keep using their transaction ids. */
const RAISED = `connection orders and transaction ids continue ${String(RAISED_BY)} above those of the backup, so that none is assigned twice`;

export const dataCommands: readonly AdminCommand[] = [
  {
    name: ['backup'],
    positionals: ['FILE'],
    flags: ['force'],
    about:
      'back up the one-process mode, also while it runs, with a checksum in FILE.sha256; --force replaces an existing FILE',
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
    about: 'restore a backup; chargers are disconnected for a moment',
    async run({ restore }, given) {
      if (restore === undefined) throw notHere('A document server has its own tools for backups');
      const file = positional(given, 0);
      const { isVerified } = await restore(file);
      const unverified = isVerified ? [] : [`${file}.sha256 is missing: only the structure of the file was checked`];
      return {
        lines: [`restored from ${file}`, ...unverified, RAISED, WITHOUT_KEY],
        data: { file, isVerified, raisedBy: RAISED_BY },
      };
    },
  },
  {
    name: ['counters', 'raise'],
    question: `This raises every connection order and the transaction ids by ${String(RAISED_BY)}, which cannot be undone.`,
    about: 'raise the counters after a restore with other tools, before any process starts',
    async run({ raiseCounters }) {
      if (raiseCounters === undefined) throw notHere('The store is not open');
      const chargers = await raiseCounters();
      return { lines: [RAISED], data: { chargers, raisedBy: RAISED_BY } };
    },
  },
  {
    name: ['partitions', 'set'],
    positionals: ['NUMBER'],
    about: 'change PARTITIONS; empty the queues and stop every process first',
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
    about: 'show the addresses of the running one-process mode',
    run({ addresses }) {
      if (addresses === undefined)
        throw notHere('Only a running one-process mode has an address: start it with "npm start"');
      const data = addresses();
      const plain = data.plainOcpp === null ? [] : [`without TLS  ${data.plainOcpp}`];
      return Promise.resolve({
        lines: [
          `HTTPS        ${data.http}`,
          `chargers     ${data.ocpp}`,
          ...plain,
          `health       ${data.internal}/readyz`,
        ],
        data,
      });
    },
  },
];

function notHere(reason: string): AppError {
  return new AppError('invalid_request', `${reason}.`);
}
