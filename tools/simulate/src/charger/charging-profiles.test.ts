import {
  isCleared,
  limitAt,
  limitsBetween,
  profileIssue,
  withProfile,
  type InstalledProfile,
  type Load,
  type Profile,
} from './charging-profiles';

const T0 = new Date('2026-01-01T10:00:00.000Z');
const at = (seconds: number): Date => new Date(T0.getTime() + seconds * 1000);
const LOAD: Load = { socket: 1, sessionStartedAt: T0, activeSessions: 1 };
type Periods = readonly (readonly [startPeriod: number, limit: number])[];

function profile(over: Partial<Profile> = {}, periods: Periods = [[0, 5000]], schedule = {}): Profile {
  return {
    chargingProfileId: 1,
    stackLevel: 0,
    chargingProfilePurpose: 'TxProfile',
    chargingProfileKind: 'Relative',
    ...over,
    chargingSchedule: {
      chargingRateUnit: 'W',
      chargingSchedulePeriod: periods.map(([startPeriod, limit]) => ({ startPeriod, limit })),
      ...schedule,
    },
  };
}

function installed(socket: number, ...profiles: Profile[]): InstalledProfile[] {
  return profiles.map((each) => ({ socket, profile: each, installedAt: T0 }));
}

const DEFAULT = { chargingProfilePurpose: 'TxDefaultProfile' } as const;
const MAX = { chargingProfilePurpose: 'ChargePointMaxProfile' } as const;
const DAILY = { ...DEFAULT, chargingProfileKind: 'Recurring', recurrencyKind: 'Daily' } as const;

describe('the limit', () => {
  it.each<[string, InstalledProfile[], number, number | undefined]>([
    ['is absent without a profile', [], 0, undefined],
    [
      'follows the periods of a relative schedule',
      installed(
        1,
        profile({}, [
          [0, 5000],
          [60, 3000],
        ]),
      ),
      60,
      3000,
    ],
    ['ends with the duration of the schedule', installed(1, profile({}, [[0, 5000]], { duration: 30 })), 30, undefined],
    ['converts amperes on three phases', installed(1, profile({}, [[0, 10]], { chargingRateUnit: 'A' })), 0, 6900],
    [
      'converts amperes on the phases of the period',
      installed(
        1,
        profile({}, [], {
          chargingRateUnit: 'A',
          chargingSchedulePeriod: [{ startPeriod: 0, limit: 16, numberPhases: 1 }],
        }),
      ),
      0,
      3680,
    ],
    [
      'is absent before an absolute schedule begins',
      installed(1, profile({ chargingProfileKind: 'Absolute' }, [[0, 5000]], { startSchedule: at(10).toISOString() })),
      9,
      undefined,
    ],
    [
      'counts an absolute schedule without a start from its installation',
      installed(
        1,
        profile({ chargingProfileKind: 'Absolute' }, [
          [0, 5000],
          [20, 1],
        ]),
      ),
      20,
      1,
    ],
    ['is absent before validFrom', installed(1, profile({ validFrom: at(10).toISOString() })), 9, undefined],
    ['is absent from validTo on', installed(1, profile({ validTo: at(10).toISOString() })), 10, undefined],
    [
      'prefers a TxProfile to a TxDefaultProfile',
      installed(1, profile(DEFAULT, [[0, 1]]), profile({}, [[0, 7000]])),
      0,
      7000,
    ],
    [
      'prefers the higher stack level',
      installed(1, profile({ stackLevel: 3 }, [[0, 1]]), profile({}, [[0, 7000]])),
      0,
      1,
    ],
    [
      'falls to the lower stack level where the higher one has ended',
      installed(1, profile({ stackLevel: 3 }, [[0, 1]], { duration: 5 }), profile({}, [[0, 7000]])),
      5,
      7000,
    ],
    [
      'prefers the default of a socket to that of all',
      [...installed(0, profile({ ...DEFAULT, stackLevel: 5 }, [[0, 1]])), ...installed(1, profile(DEFAULT, [[0, 2]]))],
      0,
      2,
    ],
    ['is none of another socket', installed(2, profile(DEFAULT)), 0, undefined],
    [
      'is capped by ChargePointMaxProfile',
      [...installed(0, profile(MAX, [[0, 3000]])), ...installed(1, profile())],
      0,
      3000,
    ],
    [
      'repeats a daily schedule',
      installed(
        1,
        profile(
          DAILY,
          [
            [0, 5000],
            [3600, 6000],
          ],
          { startSchedule: '2025-12-01T09:30:00Z' },
        ),
      ),
      1800,
      6000,
    ],
  ])('%s', (_title, profiles, seconds, limitW) => {
    expect(limitAt(profiles, LOAD, at(seconds))).toBe(limitW);
  });

  it('divides the limit of ChargePointMaxProfile among the sessions', () => {
    const profiles = installed(0, profile(MAX, [[0, 9000]]));
    expect(limitAt(profiles, { ...LOAD, activeSessions: 3 }, T0)).toBe(3000);
    expect(limitAt(profiles, { socket: 0, activeSessions: 3 }, T0)).toBe(9000);
  });
});

it('limits over a time change at every boundary, and joins equal neighbours', () => {
  const profiles = [
    ...installed(0, profile(MAX, [[0, 4000]], { duration: 60 })),
    ...installed(
      1,
      profile({ chargingProfileId: 2 }, [
        [0, 5000],
        [30, 4500],
        [90, 1000],
      ]),
    ),
  ];
  const limits = limitsBetween(profiles, LOAD, [at(10), at(100)]);
  expect(limits).toEqual([
    { from: at(10), limitW: 4000 },
    { from: at(60), limitW: 4500 },
    { from: at(90), limitW: 1000 },
  ]);
});

it('changes a daily schedule again on each day', () => {
  const profiles = installed(
    1,
    profile(
      DAILY,
      [
        [0, 1000],
        [43_200, 2000],
      ],
      { startSchedule: T0.toISOString() },
    ),
  );
  expect(limitsBetween(profiles, LOAD, [T0, at(3 * 86_400)]).map(({ limitW }) => limitW)).toEqual([
    1000, 2000, 1000, 2000, 1000, 2000,
  ]);
});

it.each<[string, number, Profile]>([
  ['a ChargePointMaxProfile at a connector', 1, profile(MAX)],
  ['a TxProfile at connector 0', 0, profile()],
  ['a default of one transaction', 0, profile({ ...DEFAULT, transactionId: 1 })],
  ['a stack level above the limit', 1, profile({ stackLevel: 9 })],
  ['a recurrence without its start', 0, profile(DAILY)],
  ['no period', 1, profile({}, [])],
  ['a first period later than 0', 1, profile({}, [[1, 5000]])],
  [
    'periods that do not ascend',
    1,
    profile({}, [
      [0, 1],
      [60, 1],
      [60, 2],
    ]),
  ],
  ['a negative limit', 1, profile({}, [[0, -1]])],
])('refuses %s', (_title, socket, refused) => {
  expect(profileIssue(socket, refused)).toEqual(expect.any(String));
});

it.each<[string, number, Profile]>([
  ['a TxProfile', 1, profile({ transactionId: 5 })],
  ['a daily default', 0, profile(DAILY, [[0, 1]], { startSchedule: T0.toISOString() })],
  ['a ChargePointMaxProfile at connector 0', 0, profile(MAX)],
])('takes %s', (_title, socket, taken) => {
  expect(profileIssue(socket, taken)).toBeUndefined();
});

it('replaces profiles with the same id, and those of the same stack level, purpose and socket', () => {
  const [first, second, third] = installed(1, profile(), profile({ chargingProfileId: 2 }), profile({ stackLevel: 2 }));
  expect(withProfile([first!], second!)).toEqual([second]);
  expect(withProfile([first!], third!)).toEqual([third]);
  const elsewhere = { ...second!, socket: 2 };
  expect(withProfile([first!], elsewhere)).toEqual([first, elsewhere]);
});

it.each([
  [{ id: 1 }, true],
  [{ id: 2 }, false],
  [{}, true],
  [{ connectorId: 1, stackLevel: 0 }, true],
  [{ connectorId: 2 }, false],
  [{ chargingProfilePurpose: 'TxProfile' as const, stackLevel: 1 }, false],
])('decides whether %j clears the profile: %s', (request, isMeant) => {
  expect(isCleared(installed(1, profile())[0]!, request)).toBe(isMeant);
});
