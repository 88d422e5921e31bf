// No rule is in a skin: each use case of the tables by way of both APIs, in both ways of running.
import { eventually, type Answer } from '@busbar/testing';
import { asNewClient } from '../harness/clients';
import { inBothWorlds } from '../harness/in-both-worlds';
import type { World } from '../harness/world';
import { answerOf, COMMANDS, FATES, REFUSED_COMMANDS, type Command } from './command-parity';
import {
  commandsOf,
  foreignTransaction,
  makeCommandTwin,
  allStored,
  shownOfCharger,
  type CommandTwin,
  type Connected,
} from './command-twin';
import { askLegacy, askV2, byRole, outcomeOf, type UseCase } from './parity';
import { documentedCalls, needsKey, operationFor, permissionOf, titleOf } from './parity-coverage';
import { makeNetwork, READS, type Network } from './read-parity';
import { makeTwin, REGISTRY_USE_CASES, shownOf, type Twin } from './registry-parity';

/** Names of all that a use case can name, where only the shape of its path matters. */
const ANYTHING = {
  site: 1,
  other: 2,
  child: 3,
  empty: 4,
  root: 5,
  foreign: 6,
  ended: 7,
  ongoing: 8,
  charger: 'A',
  fresh: 'B',
  busy: 'C',
  idle: 'D',
  nobody: 'E',
  busyTag: 'F',
  goodTag: 'G',
  blockedTag: 'H',
  expiredTag: 'I',
  futureTag: 'J',
  unknownTag: 'K',
  tag: 'L',
} satisfies Twin & CommandTwin & Network;

inBothWorlds((world) => {
  describe('sites and chargers', () => registryTests(world));
  describe('commands', () => commandTests(world));
  describe('reads', () => readTests(world));
  it('has every call of the v1 API as a use case of a table, with the permission that v2 requires', async () => {
    const { v2, api } = world().addresses();
    const newer = await documentedCalls(`${v2}/openapi.json`);
    const older = await documentedCalls(`${api}/swagger.json`);
    const allowed = ({ refused }: { readonly refused?: string }) => refused === undefined;
    const pairOf = (useCase: UseCase<typeof ANYTHING>) => ({
      newer: operationFor(newer, '/v2', useCase.v2, ANYTHING),
      older: operationFor(older, '/api', useCase.legacy, ANYTHING),
    });
    const pairs = [...REGISTRY_USE_CASES, ...COMMANDS, ...READS].filter(allowed).map(pairOf);
    const inTables = new Set(pairs.map((pair) => titleOf(pair.older)));
    const missing = older.filter((operation) => needsKey(operation) && !inTables.has(titleOf(operation)));
    expect(missing.map(titleOf)).toEqual([]);
    for (const pair of pairs) {
      const title = titleOf(pair.older);
      expect([title, permissionOf(pair.older)]).toEqual([title, permissionOf(pair.newer)]);
    }
  });
});

function registryTests(world: () => World): void {
  it.each(REGISTRY_USE_CASES)('has the same effect in both APIs: $title', async (useCase) => {
    const [one, two] = await Promise.all([makeTwin(world()), makeTwin(world())]);
    expect(await shownOf(world(), one)).toEqual(await shownOf(world(), two));
    const replies = [await askV2(world(), useCase, one), await askLegacy(world(), useCase, two)];
    const expected = useCase.refused ?? '200';
    expect(replies.map(outcomeOf)).toEqual([expected, expected]);
    expect(await shownOf(world(), one)).toEqual(await shownOf(world(), two));
  });
}

function commandTests(world: () => World): void {
  type Twins = readonly [Connected, Connected];
  let foreign: number;
  /** To whom nothing happens. */
  let refused: Twins;
  beforeAll(async () => {
    foreign = await foreignTransaction(world());
    refused = await makeTwins();
  });

  const makeTwins = (): Promise<Twins> =>
    Promise.all([makeCommandTwin(world(), foreign), makeCommandTwin(world(), foreign)]);

  /** The first by way of v2, the second by way of the v1 API. */
  async function command(useCase: Pick<Command, 'title' | 'v2' | 'legacy'>, [one, two]: Twins, query?: string) {
    const replies = await Promise.all([
      askV2(world(), useCase, one.twin, query),
      askLegacy(world(), useCase, two.twin, query),
    ]);
    return replies.map(answerOf);
  }

  async function expectAlike([one, two]: Twins): Promise<void> {
    await Promise.all([allStored(world(), one), allStored(world(), two)]);
    expect(commandsOf(one)).toEqual(commandsOf(two));
    await eventually(async () => {
      expect(await shownOfCharger(world(), one.twin)).toEqual(await shownOfCharger(world(), two.twin));
      return true;
    });
  }

  const answerBoth = (twins: Twins, action: string, answer: (of: Connected) => Answer): void => {
    for (const each of twins) each.socket.answer(action, answer(each));
  };

  describe.each(COMMANDS)('$title', ({ call, words, then, ...useCase }) => {
    it('is the same CALL through both APIs, with the same effect, for every status of the charger', async () => {
      const twins = await makeTwins();
      const [[action, payload]] = twins.map(({ twin }) => call(twin)) as [ReturnType<Command['call']>];
      for (const status of words) {
        answerBoth(twins, action, () => () => ({ status }));
        expect(await command(useCase, twins)).toEqual([`200 ${status}`, `200 ${status}`]);
      }
      const expected = words.map(() => [action, byRole(payload, twins[0].twin)]);
      expect(twins.map(commandsOf)).toEqual([expected, expected]);
      await expectAlike(twins);
      if (then === undefined) return;
      const [one, two] = await Promise.all([then(twins[0], world()), then(twins[1], world())]);
      await expectAlike([one, two]);
    });

    it('fails equally in every way', async () => {
      const twins = await makeTwins();
      const [action] = call(twins[0].twin);
      const outcomes: (readonly string[])[] = [];
      for (const { answer, query } of FATES) {
        if (answer !== undefined) answerBoth(twins, action, ({ socket }) => answer(socket));
        outcomes.push(await command(useCase, twins, query));
        await Promise.all(twins.map((each) => allStored(world(), each)));
      }
      expect(outcomes).toEqual(FATES.map(({ outcome }) => [outcome, outcome]));
      const received = FATES.filter(({ answer }) => answer !== undefined).map(() => action);
      expect(twins.map(({ socket }) => socket.received.filter((each) => each.action === action))).toMatchObject(
        twins.map(() => received.map((each) => ({ action: each }))),
      );
      await expectAlike(twins);
    });

    it('fails equally for an unknown charger', async () => {
      const twin = { ...refused[0].twin, charger: refused[0].twin.nobody };
      const replies = [await askV2(world(), useCase, twin), await askLegacy(world(), useCase, twin)];
      expect(replies.map(outcomeOf)).toEqual(['404 not_found', '404 not_found']);
    });
  });

  it.each(REFUSED_COMMANDS)('is refused equally in both APIs, without a CALL: $title', async (useCase) => {
    expect(await command(useCase, refused)).toEqual([useCase.refused, useCase.refused]);
    expect(refused.map(commandsOf)).toEqual([[], []]);
    await expectAlike(refused);
  });
}

function readTests(world: () => World): void {
  let client: World;
  let network: Network;
  beforeAll(async () => {
    client = await asNewClient(world(), 'Reader');
    network = await makeNetwork(client);
  }, 60_000);

  it.each(READS)('reads the same in both APIs: $title', async (useCase) => {
    const { refused = '200', newer = asItIs, older = asItIs } = useCase;
    const read = () => Promise.all([askV2(client, useCase, network), askLegacy(client, useCase, network)]);
    expect((await read()).map(outcomeOf)).toEqual([refused, refused]);
    if (refused !== '200') return;
    // The service asks the charger things by itself, whenever it comes to it: the two may stand before and after.
    await eventually(async () => {
      const [one, two] = await read();
      expect(older(two.json)).toEqual(newer(one.json));
      return true;
    });
  });
}

function asItIs(answer: unknown): unknown {
  return answer;
}
