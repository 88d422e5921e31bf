// What a charger's list is after each message; charger-state's handler test shows how OCPP messages become these updates.
import type { Position } from '@busbar/contracts';
import {
  withListUpdate,
  withListVersion,
  type LocalList,
  type LocalListEntry,
  type LocalListUpdate,
} from './local-list';

const AT = '2026-01-01T00:00:00.000Z';
const NOW = '2026-02-01T00:00:00.000Z';
const MOST = 10_000;

function entry(idTag: string, status = 'Accepted'): LocalListEntry {
  return { idTag, status, expiryDate: null, parentIdTag: null };
}

function removal(idTag: string): LocalListUpdate['entries'][number] {
  return { ...entry(idTag), status: null };
}

function many(count: number): LocalListEntry[] {
  return Array.from({ length: count }, (_each, i) => entry(`T${String(i)}`));
}

/** A complete list with the tags A and B, sent whole by message 2. */
const LIST: LocalList = {
  version: 1,
  entries: [entry('A'), entry('B')],
  isComplete: true,
  updatedAt: AT,
  position: [1, 2],
  wholeAt: [1, 2],
};

/** An update by message 5, or as given. */
function update(part: Partial<LocalListUpdate> = {}): LocalListUpdate {
  return { version: 2, isDifferential: true, entries: [], at: NOW, position: [1, 5], ...part };
}

function whole(...entries: readonly LocalListEntry[]): LocalListUpdate {
  return update({ isDifferential: false, entries });
}

describe('the local list after an update', () => {
  it.each<[string, LocalList | null, LocalListUpdate, { entries: LocalListEntry[]; isComplete: boolean }]>([
    ['has the tags of a whole list alone', LIST, whole(entry('C')), { entries: [entry('C')], isComplete: true }],
    ['has the tags of the first whole list', null, whole(entry('C')), { entries: [entry('C')], isComplete: true }],
    [
      'is complete after a whole list, though it was not',
      { ...LIST, isComplete: false },
      whole(),
      { entries: [], isComplete: true },
    ],
    [
      'gains a tag',
      LIST,
      update({ entries: [entry('C')] }),
      { entries: [...LIST.entries, entry('C')], isComplete: true },
    ],
    ['loses a tag', LIST, update({ entries: [removal('A')] }), { entries: [entry('B')], isComplete: true }],
    [
      'is as before where it loses a tag that it has not',
      LIST,
      update({ entries: [removal('C')] }),
      { entries: [...LIST.entries], isComplete: true },
    ],
    [
      'has a changed tag at its place, spelled as it came last',
      LIST,
      update({ entries: [entry('a', 'Blocked')] }),
      { entries: [entry('a', 'Blocked'), entry('B')], isComplete: true },
    ],
    [
      'loses a tag in other letters',
      LIST,
      update({ entries: [removal('b')] }),
      { entries: [entry('A')], isComplete: true },
    ],
    [
      'takes the last of two entries of one tag',
      null,
      whole(entry('C'), entry('c', 'Blocked')),
      { entries: [entry('c', 'Blocked')], isComplete: true },
    ],
    [
      'is incomplete after an update of an unknown list',
      null,
      update({ entries: [entry('C')] }),
      { entries: [entry('C')], isComplete: false },
    ],
    [
      'stays incomplete after an update',
      { ...LIST, isComplete: false },
      update(),
      { entries: [...LIST.entries], isComplete: false },
    ],
    ['has the most entries that are stored', null, whole(...many(MOST)), { entries: many(MOST), isComplete: true }],
    [
      'is incomplete with more entries, of which it has the first',
      null,
      whole(...many(MOST + 1)),
      { entries: many(MOST), isComplete: false },
    ],
  ])('%s', (_title, before, change, { entries, isComplete }) => {
    const after = withListUpdate(before, change);
    expect(after.entries).toEqual(entries);
    expect(after).toMatchObject({ version: 2, isComplete, updatedAt: NOW, position: [1, 5] });
  });

  it.each<[string, LocalList | null, LocalListUpdate, Position | undefined]>([
    ['that of a whole list', LIST, whole(), [1, 5]],
    ['that of the whole list before an update', LIST, update(), LIST.wholeAt],
    ['none where no whole list was seen', null, update(), undefined],
  ])('has as position of its last whole list %s', (_title, before, change, wholeAt) => {
    expect(withListUpdate(before, change).wholeAt).toEqual(wholeAt);
  });
});

describe('the local list after an update that is reported late', () => {
  const later: LocalList = { ...LIST, position: [1, 9] };
  const seen = { ...later, wholeAt: [1, 2] as const };
  it.each<[string, LocalList, Position, boolean]>([
    ['lacks an update from after its last whole list', seen, [1, 5], false],
    [
      'lacks an update of an earlier connection, without a whole list since',
      { ...seen, wholeAt: [0, 1] },
      [0, 7],
      false,
    ],
    ['lacks nothing where the whole list came later', { ...seen, wholeAt: [1, 9] }, [1, 5], true],
    ['lacks nothing where the update was that whole list', seen, [1, 2], true],
    ['lacks nothing where the update is its last one again', seen, [1, 9], true],
  ])('%s', (_title, list, position, isComplete) => {
    expect(withListUpdate(list, update({ position, entries: [entry('C')] }))).toEqual({ ...list, isComplete });
  });

  it('lacks an update where no whole list was ever seen', () => {
    const { version, entries, isComplete, updatedAt, position } = later;
    const list: LocalList = { version, entries, isComplete, updatedAt, position };
    expect(withListUpdate(list, update({ position: [0, 1] }))).toEqual({ ...list, isComplete: false });
  });
});

describe('the local list after its charger reported a version', () => {
  const unknown = { entries: [], updatedAt: NOW, position: [1, 5], wholeAt: [1, 5] };
  it.each<[string, LocalList | null, number, object]>([
    ['is the same at that version, at the later position', LIST, 1, { ...LIST, position: [1, 5] }],
    ['has unknown entries at another version', LIST, 2, { ...unknown, version: 2, isComplete: false }],
    ['has unknown entries where none were known', null, 2, { ...unknown, version: 2, isComplete: false }],
    ['is known to be empty at version 0', LIST, 0, { ...unknown, version: 0, isComplete: true }],
    ['is known to be empty where the charger has none', null, -1, { ...unknown, version: -1, isComplete: true }],
  ])('%s', (_title, before, version, after) => {
    expect(withListVersion(before, { version, at: NOW, position: [1, 5] })).toEqual(after);
  });

  it.each<[string, Position]>([
    ['an earlier message', [1, 1]],
    ['the message of its last change', [1, 2]],
    ['an earlier connection', [0, 9]],
  ])('is unchanged by %s', (_title, position) => {
    expect(withListVersion(LIST, { version: 7, at: NOW, position })).toBe(LIST);
  });
});
