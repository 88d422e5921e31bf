import fc from 'fast-check';
import {
  dated,
  pendingOf,
  resolveKey,
  useKey,
  withoutPendingKey,
  withPendingKey,
  type ChargerAuthentication,
  type KeyEnd,
} from './charger-authentication';

const NOW = '2026-01-01T00:00:00.000Z';
const LATER = '2026-01-01T01:00:00.000Z';
const OLD: ChargerAuthentication = { securityProfile: 2, passwordHash: 'old' };

function reported(before: ChargerAuthentication, commandId: string): ChargerAuthentication {
  return withPendingKey(before, { commandId, passwordHash: `key of ${commandId}`, state: 'open', until: LATER });
}

/** The keys that are accepted. */
function valid(authentication: ChargerAuthentication): (string | null)[] {
  return [authentication.passwordHash, ...pendingOf(authentication).map(({ passwordHash }) => passwordHash)];
}

describe('a pending key', () => {
  it('10. is as valid as the old one while its fate is unknown', () => {
    expect(valid(reported(OLD, 'a'))).toEqual(['old', 'key of a']);
    expect(valid(resolveKey(reported(OLD, 'a'), 'a', 'unknown', 3))).toEqual(['old', 'key of a']);
  });

  it('10. replaces the old one when the charger accepts it', () => {
    expect(valid(resolveKey(reported(OLD, 'a'), 'a', 'accepted', 3))).toEqual(['key of a']);
  });

  it('10. is void when the charger refuses it or its command was never sent', () => {
    expect(valid(resolveKey(reported(OLD, 'a'), 'a', 'refused', 3))).toEqual(['old']);
    expect(valid(withoutPendingKey(reported(OLD, 'a'), 'a'))).toEqual(['old']);
  });

  it('10. makes the first of both keys that is used the valid one when its outcome is unknown', () => {
    const unknown = resolveKey(reported(OLD, 'a'), 'a', 'unknown', 3);
    expect(valid(useKey(unknown, 'present', 4, NOW))).toEqual(['old']);
    expect(valid(useKey(unknown, { commandId: 'a' }, 4, NOW))).toEqual(['key of a']);
  });

  it('10. is void when the charger reconnects with the old key before an unknown outcome is applied', () => {
    const back = useKey(reported(OLD, 'a'), 'present', 4, NOW);
    expect(valid(back)).toEqual(['old', 'key of a']);
    expect(valid(resolveKey(back, 'a', 'unknown', 3))).toEqual(['old']);
    // The result of a command on the connection that the old key opened is unknown.
    expect(valid(resolveKey(back, 'a', 'unknown', 4))).toEqual(['old', 'key of a']);
  });

  it('10. counts when the charger reconnects with either key before its Accepted is applied', () => {
    expect(valid(resolveKey(useKey(reported(OLD, 'a'), 'present', 4, NOW), 'a', 'accepted', 3))).toEqual(['key of a']);
    const used = useKey(reported(OLD, 'a'), { commandId: 'a' }, 4, NOW);
    expect(resolveKey(used, 'a', 'accepted', 3)).toBe(used);
    expect(valid(used)).toEqual(['key of a']);
  });

  it('10. yields to a later accepted key, and an overwritten one is void', () => {
    const both = reported(reported(OLD, 'a'), 'b');
    const first = resolveKey(both, 'a', 'accepted', 3);
    expect(valid(first)).toEqual(['key of a', 'key of b']);
    expect(valid(resolveKey(first, 'b', 'accepted', 3))).toEqual(['key of b']);
    expect(valid(resolveKey(first, 'b', 'refused', 3))).toEqual(['key of a']);
    const unknown = resolveKey(both, 'a', 'unknown', 3);
    expect(valid(resolveKey(unknown, 'b', 'accepted', 3))).toEqual(['key of b']);
    expect(valid(resolveKey(unknown, 'b', 'refused', 3))).toEqual(['old', 'key of a']);
  });

  it('10. does not replace a later key that has been used when its Accepted is late', () => {
    const used = useKey(reported(reported(OLD, 'a'), 'b'), { commandId: 'b' }, 4, NOW);
    expect(valid(resolveKey(used, 'a', 'accepted', 3))).toEqual(['key of b']);
  });

  it('10. is void when the old key is used after its command can no longer be in flight', () => {
    expect(valid(useKey(reported(OLD, 'a'), 'present', 4, LATER))).toEqual(['old']);
  });

  it('10. leaves the old key valid until the new one is used when it takes effect after a reboot', () => {
    const agreed = resolveKey(reported(OLD, 'a'), 'a', 'after_reboot', 3);
    expect(useKey(agreed, 'present', 4, LATER)).toBe(agreed);
    expect(valid(useKey(agreed, { commandId: 'a' }, 5, LATER))).toEqual(['key of a']);
  });

  it('10. lets a charger without a key connect until it presents the new one, which it then must', () => {
    const agreed = resolveKey(reported({ securityProfile: 0, passwordHash: null }, 'a'), 'a', 'accepted', 3);
    expect(valid(useKey(agreed, 'present', 4, NOW))).toEqual([null, 'key of a']);
    expect(useKey(agreed, { commandId: 'a' }, 5, NOW)).toMatchObject({ securityProfile: 1, passwordHash: 'key of a' });
  });

  it.each([
    ['another password', { passwordHash: 'new' }, LATER],
    ['another profile', { securityProfile: 3 }, LATER],
    ['a pending key', { pending: [] }, NOW],
  ] as const)('dates an authentication with %s', (_title, change, setAt) => {
    const before = { ...OLD, setAt: NOW };
    expect(dated(before, { ...before, ...change }, LATER)).toEqual({ ...before, ...change, setAt });
  });

  it('leaves an authentication without pending keys alone', () => {
    expect(useKey(OLD, 'present', 4, NOW)).toBe(OLD);
    expect(resolveKey(OLD, 'a', 'accepted', 4)).toBe(OLD);
  });

  it('10. never locks a charger out, in any order of losses and delays', () => {
    const step = fc.record({
      kind: fc.constantFrom('change' as const, 'reconnect' as const, 'apply' as const),
      took: fc.boolean(),
      answer: fc.constantFrom('received' as const, 'lost' as const),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const world = { record: OLD, key: 'old', order: 1, commands: 0, line: [] as (() => void)[] };
        const reconnect = (): void => {
          expect(valid(world.record)).toContain(world.key);
          world.order += 1;
          const pending = pendingOf(world.record).find(({ passwordHash }) => passwordHash === world.key);
          const used = world.record.passwordHash === world.key ? 'present' : (pending ?? 'present');
          world.record = useKey(world.record, used, world.order, NOW);
        };
        for (const { kind, took, answer } of steps) {
          if (kind === 'reconnect') reconnect();
          else if (kind === 'apply') world.line.shift()?.();
          else {
            const commandId = String((world.commands += 1));
            world.record = reported(world.record, commandId);
            if (took) world.key = `key of ${commandId}`;
            const end: KeyEnd = answer === 'lost' ? 'unknown' : took ? 'accepted' : 'refused';
            const { order } = world;
            world.line.push(() => (world.record = resolveKey(world.record, commandId, end, order)));
          }
        }
        for (const apply of world.line) apply();
        reconnect();
        reconnect();
      }),
    );
  });
});
