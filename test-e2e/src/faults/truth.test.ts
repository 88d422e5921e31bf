import { createSteadiness, type Watched } from './truth';

interface Moment {
  readonly atS: number;
  readonly changes: number;
  readonly isOpen: boolean;
  readonly answered: number;
}

const OPEN = { isOpen: true, changes: 1, answered: 5 };
const CLOSED = { isOpen: false, changes: 2, answered: 5 };

it.each<[string, readonly Moment[], boolean]>([
  ['one that is seen for the first time', [{ atS: 0, ...OPEN }], false],
  [
    'closed for 19 s',
    [
      { atS: 0, ...CLOSED },
      { atS: 19, ...CLOSED },
    ],
    false,
  ],
  [
    'closed for 20 s',
    [
      { atS: 0, ...CLOSED },
      { atS: 20, ...CLOSED },
    ],
    true,
  ],
  [
    'closed, open and closed again',
    [
      { atS: 0, ...CLOSED },
      { atS: 20, ...CLOSED, changes: 4 },
    ],
    false,
  ],
  [
    'open for 20 s and answered',
    [
      { atS: 0, ...OPEN },
      { atS: 20, ...OPEN, answered: 6 },
    ],
    true,
  ],
  [
    'open for 20 s without an answer for 3 s, so that it may be dead',
    [
      { atS: 0, ...OPEN },
      { atS: 17, ...OPEN, answered: 6 },
      { atS: 20, ...OPEN, answered: 6 },
    ],
    false,
  ],
])('knows of which chargers the record must be right: %s', (_name, moments, isSteady) => {
  let now = moments[0];
  const charger: Watched = {
    chargerId: 'A',
    isOpen: () => now?.isOpen === true,
    changes: () => now?.changes ?? 0,
    ledger: {
      get answered() {
        return now?.answered ?? 0;
      },
    },
  };
  const steady = createSteadiness([charger], () => (now?.atS ?? 0) * 1_000);
  const found = moments.map((moment) => {
    now = moment;
    return steady().length;
  });
  expect(found.at(-1) === 1).toBe(isSteady);
});
