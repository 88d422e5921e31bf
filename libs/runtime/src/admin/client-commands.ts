import { createClient } from '@busbar/domain';
import { positional, type AdminCommand } from './command';

export const clientCommands: readonly AdminCommand[] = [
  {
    words: ['client', 'create'],
    positionals: ['NAME'],
    options: {},
    about: 'make a client and its first API key, which is shown this once',
    async run({ records, clock }, given) {
      const { clients, apiKeys } = records;
      const { client, key, secret } = await createClient({ clients, apiKeys, clock }, { name: positional(given, 0) });
      return {
        lines: [`client id  ${client.clientId}`, `API key    ${secret}   (kept nowhere: copy it now)`],
        data: { clientId: client.clientId, keyId: key.keyId, key: secret },
      };
    },
  },
  {
    words: ['client', 'list'],
    positionals: [],
    options: {},
    about: 'all clients, oldest first',
    async run({ records }) {
      const clients = await records.clients.list();
      return {
        lines: clients.map(({ clientId, name, createdAt }) => `${clientId}  ${createdAt}  ${name}`),
        data: clients.map(({ clientId, name, createdAt }) => ({ clientId, name, createdAt })),
      };
    },
  },
];
