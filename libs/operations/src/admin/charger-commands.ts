// Commands for chargers, their authentication and certificates.
import { readFile } from 'node:fs/promises';
import { AppError } from '@busbar/core';
import {
  chargerState,
  createCharger,
  deleteCharger,
  ongoingTransactions,
  removeChargerAuthentication,
  setChargerAuthentication,
  viewSockets,
  type Charger,
  type ChargerCertificate,
  type ConnectionCloser,
  type SetAuthenticationDeps,
  type SetAuthenticationInput,
} from '@busbar/domain/chargers';
import { errnoOf } from '@busbar/runtime';
import { clientOf, misuse, positional, type AdminCommand, type AdminContext, type Arguments } from './command';
import { siteIdOf } from './site-commands';
import { table } from './table';

const LIST_CAP = 1000;
const PROFILES = ['0', '1', '2', '3'] as const;

export const chargerCommands: readonly AdminCommand[] = [
  {
    name: ['charger', 'list'],
    options: { client: 'ID' },
    about: `list the chargers of a client, at most ${String(LIST_CAP)}`,
    async run(context, given) {
      const chargers = await context.records.chargers.listOwned(await clientOf(context, given), LIST_CAP);
      const data = chargers.map(summaryOf);
      return { lines: table(LIST_COLUMNS, data), data };
    },
  },
  {
    name: ['charger', 'show'],
    positionals: ['CHARGER_ID'],
    about: 'show a charger of any client',
    async run(context, given) {
      const charger = await findCharger(context, given);
      const data = { ...summaryOf(charger), ...detailsOf(charger) };
      return { lines: JSON.stringify(data, undefined, 2).split('\n'), data };
    },
  },
  {
    name: ['charger', 'create'],
    positionals: ['CHARGER_ID'],
    options: { client: 'ID', site: 'SITE_ID', name: 'TEXT' },
    about: "register a charger, by default at the client's oldest site and with its id as name",
    async run(context, given) {
      const clientId = await clientOf(context, given);
      const chargerId = positional(given, 0);
      const { name = chargerId, site } = given.options;
      const input = { chargerId, name, siteId: siteIdOf(site, '--site') };
      const charger = await createCharger({ ...context.records, clock: context.clock }, clientId, input);
      const { siteId } = charger.registered;
      return { lines: [`registered ${chargerId} at site ${String(siteId)}`], data: summaryOf(charger) };
    },
  },
  {
    name: ['charger', 'delete'],
    positionals: ['CHARGER_ID'],
    question: (given) =>
      `This deletes charger ${positional(given, 0)} and the history of its connections. Its sessions stay with the client.`,
    about: 'delete a charger of any client and close its connection; its id is then free for any client',
    async run(context, given) {
      const { clientId, chargerId } = await findCharger(context, given);
      await deleteCharger({ ...context.records, connections: closerOf(context) }, { clientId, chargerId });
      return { lines: [`deleted ${chargerId}`, ...effectNotice(context)], data: { chargerId, clientId } };
    },
  },
  {
    name: ['charger', 'certificates'],
    positionals: ['CHARGER_ID'],
    about:
      'list the serial numbers of unexpired certificates that were signed for a charger id, earlier registrations included',
    async run({ records }, given) {
      const chargerId = positional(given, 0);
      const [charger, certificates] = await Promise.all([
        records.chargers.find(chargerId),
        records.certificates.list(chargerId),
      ]);
      const data = certificates.map((certificate) => {
        return { ...certificate, isCurrent: certificate.incarnationId === charger?.incarnationId };
      });
      return { lines: table(CERTIFICATE_COLUMNS, data), data };
    },
  },
  {
    name: ['charger', 'authentication', 'set'],
    positionals: ['CHARGER_ID'],
    options: {
      'password-file': 'FILE',
      'authorization-key-file': 'FILE',
      password: 'TEXT',
      'authorization-key': 'HEX',
      profile: '0|1|2|3',
    },
    about:
      'set the credentials of a charger: a password, or a key of 32 to 40 hexadecimal digits; profile 3: a certificate. FILE - is standard input',
    async run(context, given) {
      const charger = await findCharger(context, given);
      const { registered } = await setChargerAuthentication(
        depsOf(context),
        charger,
        await authenticationOf(given.options),
      );
      const { chargerId } = charger;
      const { securityProfile } = registered.authentication;
      return {
        lines: [`${chargerId} must connect with security profile ${String(securityProfile)}`, ...effectNotice(context)],
        data: { chargerId, securityProfile },
      };
    },
  },
  {
    name: ['charger', 'authentication', 'remove'],
    positionals: ['CHARGER_ID'],
    about: 'remove the password of a charger, which may then connect without one',
    async run(context, given) {
      const charger = await findCharger(context, given);
      const { chargerId } = charger;
      await removeChargerAuthentication(depsOf(context), charger);
      return {
        lines: [`${chargerId} needs no password`, ...effectNotice(context)],
        data: { chargerId, securityProfile: 0 },
      };
    },
  },
];

type Summary = ReturnType<typeof summaryOf>;
type Certificate = ChargerCertificate & { readonly isCurrent: boolean };

const LIST_COLUMNS = [
  { header: 'ID', value: ({ chargerId }: Summary) => chargerId },
  { header: 'STATE', value: ({ state }: Summary) => state },
  { header: 'CONNECTED', value: ({ activeConnection }: Summary) => (activeConnection ? 'yes' : 'no') },
  { header: 'LAST SEEN', value: ({ lastSeen }: Summary) => lastSeen ?? 'never' },
  { header: 'NAME', value: ({ name }: Summary) => name },
];

const CERTIFICATE_COLUMNS = [
  { header: 'SERIAL NUMBER', value: ({ serialNumber }: Certificate) => serialNumber },
  { header: 'ISSUED', value: ({ issuedAt }: Certificate) => issuedAt },
  { header: 'VALID UNTIL', value: ({ notAfter }: Certificate) => notAfter },
  { header: 'REGISTRATION', value: ({ isCurrent }: Certificate) => (isCurrent ? 'this one' : 'an earlier one') },
];

function depsOf(context: AdminContext): SetAuthenticationDeps {
  const { records, clock } = context;
  return { chargers: records.chargers, clock, connections: closerOf(context) };
}

function closerOf({ connections }: AdminContext): ConnectionCloser {
  return connections ?? { close: () => Promise.resolve() };
}

function effectNotice({ connections }: AdminContext): readonly string[] {
  if (connections !== undefined) return ['its open connection is closed'];
  return ['its open connection stays open: set BROKER_URL to have it closed'];
}

/** The charger of any client that the first argument names. Throws `not_found`. */
export async function findCharger({ records }: Pick<AdminContext, 'records'>, given: Arguments): Promise<Charger> {
  const chargerId = positional(given, 0);
  const charger = await records.chargers.find(chargerId);
  if (charger === undefined) throw new AppError('not_found', `There is no charger ${chargerId}.`);
  return charger;
}

async function authenticationOf(options: Arguments['options']): Promise<SetAuthenticationInput> {
  const { profile } = options;
  const secret = await secretOf(options, 'password');
  const authorizationKey = await secretOf(options, 'authorization-key');
  const known = PROFILES.find((value) => value === profile);
  if (profile !== undefined && known === undefined) throw misuse('--profile is 0, 1, 2 or 3.');
  return {
    ...(secret === undefined ? {} : { password: secret }),
    ...(authorizationKey === undefined ? {} : { authorizationKey }),
    ...(known === undefined ? {} : { securityProfile: Number(known) as 0 | 1 | 2 | 3 }),
  };
}

/** The value of `--NAME`, or of the file that `--NAME-file` names. */
async function secretOf(
  options: Arguments['options'],
  name: 'password' | 'authorization-key',
): Promise<string | undefined> {
  const file = options[`${name}-file`];
  if (file === undefined) return options[name];
  if (options[name] !== undefined) throw misuse(`Give either --${name}-file or --${name}.`);
  try {
    return (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  } catch (cause) {
    const message = `${file} cannot be read (${errnoOf(cause) ?? 'unknown'}): correct --${name}-file.`;
    throw new AppError('invalid_request', message, { cause });
  }
}

function summaryOf(charger: Charger) {
  return {
    chargerId: charger.chargerId,
    clientId: charger.clientId,
    name: charger.registered.name,
    siteId: charger.registered.siteId,
    state: chargerState(charger),
    activeConnection: charger.connection.active,
    lastSeen: charger.reported.lastSeen,
  };
}

function detailsOf({ registered, connection, reported, ...charger }: Charger) {
  return {
    connectedSince: connection.active ? connection.since : null,
    ocppVersion: connection.ocppVersion,
    gatewayId: connection.gatewayId,
    securityProfile: registered.authentication.securityProfile,
    hasPassword: registered.authentication.passwordHash !== null,
    manufacturer: reported.boot?.manufacturer ?? '',
    model: reported.boot?.model ?? '',
    serial: reported.boot?.serial ?? '',
    firmware: reported.boot?.firmware ?? '',
    sockets: viewSockets({ registered, connection, reported, ...charger }),
    ongoing: ongoingTransactions({ registered, connection, reported, ...charger }).map(
      ({ socketId, transactionId }) => ({ socketId, transactionId }),
    ),
    deviations: reported.deviations,
  };
}
