// Chargers on OCPP stacks that others wrote. Run by `npm run test:interop`, which installs them.
import { readV2, registerCharger, v2 } from '../harness/world';
import { ANSWERS } from './answers';
import { COMMANDS, SECURITY_CALLS, SECURITY_REPORTS, TENTHS } from './commands';
import {
  BOOT,
  connectParty,
  evening,
  morning,
  openParty,
  powerCut,
  reset,
  serviceRestart,
  sessionFromAfar,
  sessionOfADriver,
  shows,
  smallTalk,
  type Party,
} from './day';
import { startForeignCharger, type Json } from './foreign-charger';
import { withInteropWorld } from './interop-world';
import { installedStacks, type Stack } from './stacks';

const TEST_MS = 240_000;
/** Fewer say little of what others' chargers understand. */
const FEWEST_STACKS = 3;

const { world, kept } = withInteropWorld(TEST_MS);

it('tries at least three foreign stacks', () => {
  const stacks = installedStacks();
  const left = stacks.filter(({ skipped, failed }) => skipped !== undefined || failed !== undefined);
  const why = left.map(({ name, skipped, failed }) => `${name}: ${failed ?? `wants ${skipped ?? ''}`}`);
  if (stacks.length - left.length < FEWEST_STACKS) throw new Error(`too few stacks ran. ${why.join('; ')}`);
});

describe.each(installedStacks().map((stack) => [stack.name, stack] as const))('%s', (_name, stack) => {
  if (stack.skipped !== undefined) {
    it.skip(`is skipped: the machine lacks ${stack.skipped}`, () => undefined);
    return;
  }
  if (stack.failed !== undefined) {
    it('is installed', () => {
      throw new Error(stack.failed);
    });
    return;
  }
  testsOf(stack);
});

function testsOf(stack: Stack): void {
  it(
    'completes a day: boot, heartbeats, local and remote sessions, reset, restart of the service, power cut',
    async () => {
      const party = remembered(await openParty(world(), stack));
      await morning(party);
      await sessionOfADriver(party);
      await sessionFromAfar(party);
      await smallTalk(party);
      await reset(party);
      await serviceRestart(party);
      const after = remembered(await powerCut(party));
      await evening(after);
      expect([...party.charger.complaints, ...after.charger.complaints]).toEqual([]);
      // Nothing that a charger to the letter sends may be taken for a deviation.
      await shows(after, { deviations: [] });
    },
    TEST_MS,
  );

  it(
    'executes every operation, and its answers are understood',
    async () => {
      const party = await bootedParty(stack);
      for (const { method, path, body, action, payload, reply } of COMMANDS) {
        const { status, json, text } = await command(party, { method, path, body });
        if (status !== 200) throw new Error(`${method} ${path} gave ${String(status)}: ${text}`);
        expect({ path, json }).toMatchObject({ path, json: reply });
        expect({ action, payload: await party.charger.nextCall(action) }).toMatchObject({ action, payload });
      }
      expect(party.charger.complaints).toEqual([]);
    },
    TEST_MS,
  );

  it(
    '46. receives a limit with one decimal unchanged; where its schemas refuse that, its error is reported',
    async () => {
      const party = await bootedParty(stack);
      const body = { socketId: 1, chargingProfile: TENTHS };
      const { status, json } = await command(party, { method: 'POST', path: '/charging-profile', body });
      if (!stack.readsTenths) {
        expect(json).toMatchObject({ code: 'charger_error', chargerError: { code: 'FormationViolation' } });
        return;
      }
      expect({ status, json }).toMatchObject({ status: 200, json: { status: 'Accepted' } });
      const { csChargingProfiles } = await party.charger.nextCall('SetChargingProfile');
      expect(csChargingProfiles).toMatchObject(TENTHS);
    },
    TEST_MS,
  );

  it(
    'executes the security extension, or reports that it lacks it',
    async () => {
      const party = await bootedParty(stack);
      for (const { action, payload } of SECURITY_CALLS) {
        const { status, json } = await command(party, { method: 'POST', path: '/calls', body: { action, payload } });
        const expected = stack.hasSecurity
          ? { status: 200, json: { status: ANSWERS[action]?.['status'], payload: ANSWERS[action] } }
          : { status: 502, json: { code: 'charger_error', chargerError: { code: 'NotImplemented' } } };
        expect({ action, status, json }).toMatchObject({ action, ...expected });
        if (stack.hasSecurity) expect(inMs(await party.charger.nextCall(action))).toEqual(inMs(payload));
      }
      for (const { action, payload } of stack.hasSecurity ? SECURITY_REPORTS : []) {
        expect({ action, answer: await party.charger.call(action, payload) }).toEqual({ action, answer: {} });
      }
      expect(party.charger.complaints).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'connects over plain ws without a password, where the charger has none',
    async () => {
      const { chargerId } = await registerCharger(world());
      const charger = kept(startForeignCharger(stack, world().certificate));
      await charger.connect({ url: await world().plainOcpp(), chargerId, answers: ANSWERS });
      expect(await charger.call('BootNotification', BOOT)).toMatchObject({ status: 'Accepted' });
      expect((await readV2(world(), chargerId)).activeConnection).toBe(true);
    },
    TEST_MS,
  );

  it(
    '1. gets the refusal of an unknown id; 12. and of a wrong password',
    async () => {
      const { chargerId } = await openParty(world(), stack).then(remembered);
      const url = world().addresses().ocpp;
      for (const refused of [{ chargerId, password: 'wrong' }, { chargerId: 'NOBODY' }]) {
        const charger = kept(startForeignCharger(stack, world().certificate));
        await expect(charger.connect({ url, answers: ANSWERS, ...refused })).rejects.toThrow();
      }
      expect(await readV2(world(), chargerId)).toMatchObject({ activeConnection: false, lastSeen: null });
    },
    TEST_MS,
  );
}

async function bootedParty(stack: Stack): Promise<Party> {
  const party = remembered(await openParty(world(), stack));
  await connectParty(party);
  await party.charger.call('BootNotification', BOOT);
  await party.charger.nextCall('GetConfiguration');
  await shows(party, { activeConnection: true, chargerConfigurations: [{}, {}] });
  return party;
}

function command(
  { chargerId }: Party,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body?: object | undefined },
) {
  return v2(world(), `/chargers/${chargerId}${path}`, { method, ...(body === undefined ? {} : { body }) });
}

function remembered(party: Party): Party {
  kept(party.charger);
  return party;
}

/** With every timestamp to the millisecond: a stack writes them in its own way. */
function inMs(message: Json): unknown {
  return JSON.parse(JSON.stringify(message), (_key, value: unknown) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value).toISOString() : value,
  );
}
