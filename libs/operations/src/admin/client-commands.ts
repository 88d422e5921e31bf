import { changeClient, createClient, type Client } from '@busbar/domain/clients';
import { misuse, positional, type AdminCommand, type Arguments } from './command';
import { table } from './table';

export const clientCommands: readonly AdminCommand[] = [
  {
    name: ['client', 'create'],
    positionals: ['NAME'],
    about: 'create a client and its first API key, which is shown only now',
    async run({ records, clock }, given) {
      const { clients, apiKeys } = records;
      const { client, key, secret } = await createClient({ clients, apiKeys, clock }, { name: positional(given, 0) });
      return {
        lines: [`client id  ${client.clientId}`, `API key    ${secret}   (stored nowhere: copy it now)`],
        data: { clientId: client.clientId, keyId: key.keyId, key: secret },
      };
    },
  },
  {
    name: ['client', 'list'],
    about: 'list all clients, oldest first',
    async run({ records }) {
      const clients = await records.clients.list();
      return {
        lines: table(COLUMNS, clients),
        data: clients.map(({ clientId, name, createdAt, openCharging }) => ({
          clientId,
          name,
          createdAt,
          acceptUnknownTags: openCharging,
        })),
      };
    },
  },
  {
    name: ['client', 'set'],
    positionals: ['CLIENT_ID'],
    options: { name: 'TEXT', 'accept-unknown-tags': 'on|off' },
    about: 'rename a client, or accept RFID tags that it does not know (default off)',
    async run({ records }, given) {
      const { clientId, name, openCharging } = await changeClient(records, positional(given, 0), changesOf(given));
      return {
        lines: [`${clientId}  ${name}  unknown tags are ${openCharging ? 'accepted' : 'refused'}`],
        data: { clientId, name, acceptUnknownTags: openCharging },
      };
    },
  },
];

const COLUMNS = [
  { header: 'ID', value: ({ clientId }: Client) => clientId },
  { header: 'CREATED', value: ({ createdAt }: Client) => createdAt },
  { header: 'UNKNOWN TAGS', value: ({ openCharging }: Client) => (openCharging ? 'accepted' : 'refused') },
  { header: 'NAME', value: ({ name }: Client) => name },
];

const SWITCH = new Map([
  ['on', true],
  ['off', false],
]);

function changesOf({ options }: Arguments) {
  const { name, 'accept-unknown-tags': wanted } = options;
  const openCharging = wanted === undefined ? undefined : SWITCH.get(wanted);
  if (wanted !== undefined && openCharging === undefined) throw misuse('--accept-unknown-tags is on or off.');
  if (name === undefined && wanted === undefined)
    throw misuse('Nothing to change: give --name or --accept-unknown-tags.');
  return { ...(name === undefined ? {} : { name }), ...(openCharging === undefined ? {} : { openCharging }) };
}
