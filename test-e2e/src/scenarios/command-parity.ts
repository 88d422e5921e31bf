// Parity of the APIs for commands: each command with every outcome, and each command that does
// not reach the charger.
import type { Answer, Payload, ScriptedCharger } from '@busbar/testing';
import type { HttpReply } from '../harness/http';
import { connect, type World } from '../harness/world';
import { transactionOf, type CommandTwin, type Connected } from './command-twin';
import { outcomeOf, type UseCase } from './parity';

export interface Command extends UseCase<CommandTwin> {
  /** The CALL that the charger gets. */
  readonly call: (twin: CommandTwin) => readonly [action: string, payload: Payload];
  /** The possible statuses of the charger's response; the last one means that it complies. */
  readonly words: readonly string[];
  /** The actions of the charger after it. */
  readonly then?: (connected: Connected, world: World) => Promise<Connected>;
}

const KEY = '000102030405060708090A0B0C0D0E0F';
const UNKNOWN_TRANSACTION = 2_000_000_000;
const CHANGE = { configName: 'HeartbeatInterval', configValue: '60' };

const starting = (of: (twin: CommandTwin) => string, validateRfid?: true): Pick<Command, 'v2' | 'legacy'> => ({
  v2: [
    'POST',
    ({ charger }) => `/chargers/${charger}/start-charging`,
    (twin) => ({ socketId: 1, rfidTag: of(twin), ...(validateRfid && { validateRfid }) }),
  ],
  legacy: [
    'POST',
    (twin) => `/charger/start/${twin.charger}/1/${of(twin)}${validateRfid ? '?action=validateRfId' : ''}`,
  ],
});

const stopping = (of: (twin: CommandTwin) => number): Pick<Command, 'v2' | 'legacy'> => ({
  v2: ['POST', ({ charger }) => `/chargers/${charger}/stop-transaction`, (twin) => ({ transactionId: of(twin) })],
  legacy: ['POST', (twin) => `/charger/stop/${twin.charger}/${String(of(twin))}`],
});

const resetting = (type: string): Pick<Command, 'v2' | 'legacy'> => ({
  v2: ['POST', ({ charger }) => `/chargers/${charger}/reset`, () => ({ type })],
  legacy: ['POST', ({ charger }) => `/charger/reboot/${charger}`, () => ({ type })],
});

const unlocking = (socketId: number): Pick<Command, 'v2' | 'legacy'> => ({
  v2: ['POST', ({ charger }) => `/chargers/${charger}/unlock`, () => ({ socketId })],
  legacy: ['POST', ({ charger }) => `/charger/unlock/${charger}/${String(socketId)}`],
});

const configuring = (change: object): Pick<Command, 'v2' | 'legacy'> => ({
  v2: ['PATCH', ({ charger }) => `/chargers/${charger}/configuration`, () => change],
  legacy: ['POST', ({ charger }) => `/charger/changeConfig/${charger}`, () => change],
});

const beginning =
  (of: (twin: CommandTwin) => string): NonNullable<Command['then']> =>
  async ({ twin, socket }) => {
    const begun = transactionOf(await socket.start({ connectorId: 1, idTag: of(twin), meterStart: 5 }));
    return { twin: { ...twin, begun }, socket };
  };

export const COMMANDS: readonly Command[] = [
  {
    title: 'starting a session',
    ...starting(({ unknownTag }) => unknownTag),
    call: ({ unknownTag }) => ['RemoteStartTransaction', { connectorId: 1, idTag: unknownTag }],
    words: ['Rejected', 'Accepted'],
    then: beginning(({ unknownTag }) => unknownTag),
  },
  {
    title: 'starting a session with a tag that is looked at first',
    ...starting(({ goodTag }) => goodTag, true),
    call: ({ goodTag }) => ['RemoteStartTransaction', { connectorId: 1, idTag: goodTag }],
    words: ['Rejected', 'Accepted'],
    then: beginning(({ goodTag }) => goodTag),
  },
  {
    title: 'stopping a session',
    ...stopping(({ ongoing }) => ongoing),
    call: ({ ongoing }) => ['RemoteStopTransaction', { transactionId: ongoing }],
    words: ['Rejected', 'Accepted'],
    async then({ twin, socket }) {
      await socket.stop({ transactionId: twin.ongoing, meterStop: 9, reason: 'Remote' });
      return { twin, socket };
    },
  },
  {
    title: 'restarting a charger',
    ...resetting('Soft'),
    call: () => ['Reset', { type: 'Soft' }],
    words: ['Rejected', 'Accepted'],
  },
  {
    title: 'restarting a charger the hard way',
    ...resetting('Hard'),
    call: () => ['Reset', { type: 'Hard' }],
    words: ['Rejected', 'Accepted'],
  },
  {
    title: 'unlocking a socket',
    ...unlocking(2),
    call: () => ['UnlockConnector', { connectorId: 2 }],
    words: ['UnlockFailed', 'NotSupported', 'Unlocked'],
  },
  {
    title: 'changing the configuration',
    ...configuring(CHANGE),
    call: () => ['ChangeConfiguration', { key: 'HeartbeatInterval', value: '60' }],
    words: ['Rejected', 'NotSupported', 'RebootRequired', 'Accepted'],
  },
  {
    title: 'giving a charger a new key',
    ...configuring({ configName: 'AuthorizationKey', configValue: KEY }),
    call: () => ['ChangeConfiguration', { key: 'AuthorizationKey', value: KEY }],
    words: ['Rejected', 'Accepted'],
    // One that has presented nothing so far continues so until it uses the key.
    async then({ twin }, world) {
      const socket = await connect(world, twin.charger, { password: Buffer.from(KEY, 'hex') });
      await expect(connect(world, twin.charger)).rejects.toMatchObject({ status: 401 });
      return { twin, socket };
    },
  },
];

/** The commands that never reach the charger. */
export const REFUSED_COMMANDS: readonly (UseCase<CommandTwin> & { readonly refused: string })[] = [
  {
    title: 'starting with an unknown tag',
    ...starting(({ unknownTag }) => unknownTag, true),
    refused: '409 tag_unknown',
  },
  {
    title: 'starting with a blocked tag',
    ...starting(({ blockedTag }) => blockedTag, true),
    refused: '409 tag_blocked',
  },
  {
    title: 'starting with an expired tag',
    ...starting(({ expiredTag }) => expiredTag, true),
    refused: '409 tag_expired',
  },
  {
    title: 'starting with a tag of tomorrow',
    ...starting(({ futureTag }) => futureTag, true),
    refused: '409 tag_not_yet_valid',
  },
  { title: 'starting with a tag in use', ...starting(({ busyTag }) => busyTag, true), refused: '409 tag_in_use' },
  { title: 'starting with a tag of 21 letters', ...starting(() => 'T'.repeat(21)), refused: '400 invalid_request' },
  { title: 'starting with a tag of 37 letters', ...starting(() => 'T'.repeat(37)), refused: '400 invalid_request' },
  { title: 'stopping an unknown session', ...stopping(() => UNKNOWN_TRANSACTION), refused: '404 not_found' },
  { title: "stopping another charger's session", ...stopping(({ foreign }) => foreign), refused: '404 not_found' },
  { title: 'stopping a session that has ended', ...stopping(({ ended }) => ended), refused: '409 transaction_ended' },
  { title: 'stopping session 0', ...stopping(() => 0), refused: '400 invalid_request' },
  { title: 'restarting in a way that there is not', ...resetting('Warm'), refused: '400 invalid_request' },
  { title: 'unlocking socket 0', ...unlocking(0), refused: '400 invalid_request' },
  { title: 'unlocking socket 10000', ...unlocking(10_000), refused: '400 invalid_request' },
  {
    title: 'changing an item without a name',
    ...configuring({ ...CHANGE, configName: '' }),
    refused: '400 invalid_request',
  },
  { title: 'changing an item to nothing', ...configuring({ configName: 'A' }), refused: '400 invalid_request' },
  {
    title: 'changing an item to more than OCPP carries',
    ...configuring({ ...CHANGE, configValue: 'x'.repeat(501) }),
    refused: '400 invalid_request',
  },
  {
    title: 'giving a key that is none',
    ...configuring({ configName: 'AuthorizationKey', configValue: 'too short' }),
    refused: '400 invalid_request',
  },
];

/** The possible outcomes of any command. */
export interface Fate {
  readonly outcome: string;
  /** The reaction of the charger; absent where it has disconnected. */
  readonly answer?: (socket: ScriptedCharger) => Answer;
  readonly query?: string;
}

/** In this order, so that one charger meets them all: it is lost in the end. */
export const FATES: readonly Fate[] = [
  {
    outcome: '502 charger_error',
    answer: () => () => ({ kind: 'error', code: 'InternalError', description: 'jammed' }),
  },
  { outcome: '502 charger_invalid_answer', answer: () => () => ({ status: 5 }) },
  { outcome: '504 charger_timeout', answer: () => () => ({ kind: 'silence' }), query: 'timeoutS=1' },
  {
    outcome: '502 charger_disconnected',
    answer: (socket) => () => {
      socket.terminate();
      return { kind: 'silence' };
    },
  },
  { outcome: '409 charger_offline' },
];

/** As `outcomeOf`, with the charger's own word. */
export function answerOf(reply: HttpReply): string {
  const { status } = reply.json as { status?: unknown };
  return reply.status === 200 ? `200 ${String(status)}` : outcomeOf(reply);
}
