import {
  append,
  entryOf,
  isError,
  isFailed,
  jsonLines,
  matchesFilter,
  MAX_ENTRIES,
  seeksOlder,
  statusOf,
  storedUntil,
  tookMs,
  type Exchange,
} from './frame-buffer';

function exchange(n: number, change: Partial<Exchange> = {}): Exchange {
  return {
    messageId: String(n),
    ocppVersion: 'ocpp1.6',
    messageType: 'StatusNotification',
    source: 'charger',
    requestTimestamp: '2026-01-31T12:00:00.000Z',
    responseTimestamp: '2026-01-31T12:00:00.004Z',
    commandId: null,
    requestId: null,
    request: { status: 'Available' },
    response: {},
    ...change,
  };
}

const entries = (...numbers: number[]) => numbers.map((n) => entryOf(exchange(n)));
const ids = (list: readonly ReturnType<typeof entryOf>[]) =>
  list.map((entry) => (entry.kind === 'exchange' ? entry.exchange.messageId : 'skipped'));

describe('the frames in view', () => {
  it('grow at the end, each exchange once', () => {
    expect(ids(append(entries(1, 2), entries(2, 3)))).toEqual(['1', '2', '3']);
  });

  it('stay the same object where nothing is new', () => {
    const before = entries(1, 2);
    expect(append(before, entries(1))).toBe(before);
  });

  it('are read by pages that overlap where a frame came between two readings, each exchange once', () => {
    const [newest, older] = [entries(5, 4, 3), entries(3, 2, 1)];
    expect(ids(append([], [...newest, ...older].reverse()))).toEqual(['1', '2', '3', '4', '5']);
  });

  it('are bounded: the oldest fall out', () => {
    const many = Array.from({ length: MAX_ENTRIES + 5 }, (_, n) => entryOf(exchange(n)));
    const kept = append([], many);
    expect(kept).toHaveLength(MAX_ENTRIES);
    expect(ids(kept.slice(0, 1))).toEqual(['5']);
  });

  it('are JSON lines without the marks of what was left out', () => {
    const text = jsonLines([...entries(1), { kind: 'skipped', key: 's', count: 7 }]);
    expect(text).toBe(`${JSON.stringify(exchange(1))}\n`);
  });
});

describe('the filter', () => {
  it.each([
    [{}, exchange(1), true],
    [{}, exchange(1, { messageType: 'Heartbeat' }), false],
    [{ heartbeats: true }, exchange(1, { messageType: 'Heartbeat' }), true],
    [{ text: 'statusnot' }, exchange(1), true],
    [{ text: 'AVAILABLE' }, exchange(1), true],
    [{ text: 'faulted' }, exchange(1), false],
    [{ failed: true }, exchange(1), false],
    [{ failed: true }, exchange(1, { source: 'service', response: { status: 'Rejected' } }), true],
    [{ failed: true, text: 'accepted' }, exchange(1, { source: 'service', response: { status: 'Rejected' } }), false],
  ])('%j', (filter, made, isShown) => {
    expect(matchesFilter({ text: '', heartbeats: false, failed: false, ...filter }, made)).toBe(isShown);
  });
});

describe('an exchange', () => {
  it('is an error by its response', () => {
    expect(
      isError(exchange(1, { response: { errorCode: 'NotSupported', errorDescription: '', errorDetails: {} } })),
    ).toBe(true);
    expect(isError(exchange(1, { response: { errorCode: 'NoError' } }))).toBe(false);
  });

  it.each<[string, Partial<Exchange>, string | undefined, boolean]>([
    ['a command that is accepted', { response: { status: 'Accepted' } }, 'Accepted', false],
    ['a command that is refused', { response: { status: 'Rejected' } }, 'Rejected', true],
    ['a command whose answer has no status', { response: { configurationKey: [] } }, undefined, false],
    ['a command without an answer', { response: null, responseTimestamp: null }, undefined, true],
    [
      'an error',
      { response: { errorCode: 'InternalError', errorDescription: 'motor jammed', errorDetails: {} } },
      'InternalError',
      true,
    ],
    [
      'SetVariables that is accepted in part',
      { response: { setVariableResult: [{ attributeStatus: 'Accepted' }, { attributeStatus: 'Rejected' }] } },
      'Rejected',
      true,
    ],
    [
      'a monitor that is refused',
      { response: { setMonitoringResult: [{ status: 'Accepted' }, { status: 'Duplicate' }] } },
      'Duplicate',
      true,
    ],
    [
      'a monitor to clear that is not there',
      { response: { clearMonitoringResult: [{ status: 'NotFound' }] } },
      'NotFound',
      true,
    ],
    [
      'a question for certificates',
      { messageType: 'GetInstalledCertificateIds', response: { status: 'NotFound' } },
      'NotFound',
      false,
    ],
    ['a report of nothing', { response: { status: 'EmptyResultSet' } }, 'EmptyResultSet', false],
    ['a status that this service answers', { source: 'charger', response: { status: 'Rejected' } }, undefined, false],
    ['a report that this service left open', { source: 'charger', responseTimestamp: null }, undefined, false],
  ])('%s has its status, and is failed or not', (_, change, status, failed) => {
    const made = exchange(1, { source: 'service', ...change });
    expect([statusOf(made), isFailed(made)]).toEqual([status, failed]);
  });

  it('took the time to its response', () => {
    expect(tookMs(exchange(1))).toBe(4);
    expect(tookMs(exchange(1, { responseTimestamp: null }))).toBeUndefined();
  });
});

describe('older frames are read for those of a command', () => {
  const page = (hasNextPage: boolean, ...commandIds: readonly (string | null)[]) => ({
    items: commandIds.map((commandId, n) => exchange(n, { commandId })),
    hasNextPage,
  });
  const none = Array.from({ length: MAX_ENTRIES }, () => null);

  it.each([
    ['where no page has them', 'one', [page(true, null, 'other'), page(true, null)], true],
    ['until a page has them', 'one', [page(true, null), page(true, null, 'one')], false],
    ['until there is no older page', 'one', [page(true, null), page(false, null)], false],
    ['as long as they would be in view', 'one', [page(true, ...none)], false],
    ['only for a command', undefined, [page(true, null)], false],
    ['once the newest are there', 'one', [], false],
  ])('%s', (_, command, pages, expected) => {
    expect(seeksOlder(command, pages)).toBe(expected);
  });
});

describe('the stored frames are read', () => {
  const NOW = Date.parse('2026-01-31T12:00:00.000Z');
  const [before, anew] = ['2026-01-31T11:00:00.000Z', '2026-01-31T12:00:02.000Z'];

  type Text = string | undefined;
  const opened = (position?: string) => ({ state: 'open', position }) as const;
  const is = (state: 'connecting' | 'lost' | 'refused') => ({ state, position: undefined });

  it.each<[string, Text, ReturnType<typeof opened | typeof is>, Text]>([
    ['not before the stream opens', undefined, is('connecting'), undefined],
    ['to where the stream begins', undefined, opened(), anew],
    ['anew where it opens again before any frame came', before, opened(), anew],
    ['once where it opens again behind the last frame', before, opened('row.1'), before],
    ['once while it connects again', before, is('connecting'), before],
    ['alone where it does not open', undefined, is('lost'), anew],
    ['alone where it is refused', undefined, is('refused'), anew],
    ['once where it is lost', before, is('lost'), before],
  ])('%s', (_what, until, stream, expected) => {
    expect(storedUntil(until, { ...stream, now: NOW })).toBe(expected);
  });
});
