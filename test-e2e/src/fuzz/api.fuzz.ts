// Both HTTP interfaces against their own documents: no 5xx, no status, field or header that the document does not have, nothing
// accepted that it forbids, nothing without a key. Run by `npm run test:fuzz -- [--only api] [--minutes N] [--seed N]`.
import { eventually, type ScriptedCharger } from '@busbar/testing';
import { openEmbeddedWorld } from '../harness/embedded';
import { errorLines } from '../harness/error-lines';
import { connect, readV2, registerCharger, v2, type OwnWorld } from '../harness/world';
import { seedOfFuzz } from './expectations';
import { installedSchemathesis, runSchemathesis, type FuzzedApi, type Round } from './schemathesis';

const MINUTES = Number(process.env['FUZZ_MINUTES'] ?? '5');
/** the v2 API has three times the operations. */
const SHARES = { v2: 0.7, legacy: 0.3 };
/** The part of the requests with made-up values. The others name existing records, so that commands reach a charger. */
const MADE_UP = 0.6;
/** A charger that keeps its id, its password and its site. */
const KEEPING = ['--exclude-method', 'DELETE', '--exclude-path-regex', '/authentication$|/changeConfig/'];

describe('an API under a fuzzer made from its document', () => {
  const { program, skipped } = installedSchemathesis();
  if (program === undefined) {
    it.skip(`is skipped: schemathesis could not be installed: ${skipped ?? ''}`, () => undefined);
    return;
  }
  const seed = seedOfFuzz();
  let world: OwnWorld;

  beforeAll(async () => {
    process.stdout.write(`fuzz with --seed ${String(seed)}\n`);
    world = await openEmbeddedWorld();
  }, 120_000);

  afterAll(() => world.stop(), 60_000);

  it.each([
    ['the v2 API', SHARES.v2, v2Api],
    ['the v1 API', SHARES.legacy, v1Api],
  ])(
    'responds as documented, without a 5xx, to %s',
    async (_name, share, apiOf) => {
      const forS = MINUTES * 60 * share;
      const attack = async (round: Omit<Round, 'seed'>): Promise<void> => {
        const { code, output } = await runSchemathesis(program, apiOf(world), { ...round, seed });
        expect(code === 0 ? '' : output).toBe('');
        process.stdout.write(`${/^Test cases:\s+(.*)$/m.exec(output)?.[1] ?? ''}\n`);
      };
      // A stream of events has no end.
      await attack({ forS: Math.ceil(forS * MADE_UP), fixed: {}, options: ['--exclude-path-regex', '/stream$'] });
      // Only now: a round that makes up everything may well find and delete it.
      const { charger, fixed } = await connectedCharger(world);
      const before = charger.received.length;
      await attack({ forS: Math.ceil(forS * (1 - MADE_UP)), fixed, options: KEEPING });
      expect(charger.closed()).toBeUndefined();
      expect(charger.received.length).toBeGreaterThan(before);
      await charger.close();
      expect(errorsOf(world)).toEqual([]);
    },
    MINUTES * 60_000 + 600_000,
  );
});

function v2Api({ addresses, apiKey }: OwnWorld): FuzzedApi {
  return { url: `${addresses().v2}/openapi.json`, keys: { apiKey } };
}

function v1Api({ addresses, apiKey, clientId }: OwnWorld): FuzzedApi {
  return { url: `${addresses().api}/swagger.json`, keys: { code: apiKey, clientId } };
}

/** A charger with a session in progress, and what names it and its things in paths. */
async function connectedCharger(world: OwnWorld): Promise<{ charger: ScriptedCharger; fixed: Round['fixed'] }> {
  const { chargerId, siteId } = await registerCharger(world);
  await v2(world, '/tags', { method: 'POST', body: { idTag: 'FUZZ' } });
  const charger = await connect(world, chargerId);
  await charger.boot();
  await charger.status(1, 'Available');
  const transactionId = Number(
    (await charger.start({ connectorId: 1, idTag: 'FUZZ', meterStart: 0 }))['transactionId'],
  );
  await charger.meter({ connectorId: 1, transactionId, energyWh: 100 });
  await eventually(async () => (await readV2(world, chargerId)).activeConnection);
  const ofSession = { transactionId, socketId: 1, idTag: 'FUZZ', rfidTag: 'FUZZ', reservationId: 1 };
  return { charger, fixed: { chargerId, siteId, groupId: siteId, ...ofSession } };
}

/** Returns the lines that the program logged as an error or worse. */
function errorsOf(world: OwnWorld): string[] {
  return errorLines(world.program('v2-api').output());
}
