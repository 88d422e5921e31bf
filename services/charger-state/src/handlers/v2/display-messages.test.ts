// Display messages: what outcomes and reports store of them.
import type { Charger } from '@busbar/domain/chargers';
import type { DeviceState } from '@busbar/domain/device-state';
import { answered2, handle, RECEIVED_AT, type Situation } from '../../testing/handler-situation';
import { clearDisplayMessageOutcome, notifyDisplayMessages, setDisplayMessageOutcome } from './display-messages';
import { getDisplayMessagesOutcome } from './reports';
import type { RequestOf, ResponseOf } from './route';

type MessageInfo = RequestOf<'SetDisplayMessage'>['message'];

function info(id: number, more: Partial<MessageInfo> = {}): MessageInfo {
  return { id, priority: 'InFront', message: { format: 'UTF8', content: `text ${String(id)}` }, ...more };
}

/** A charger and its device state, over several messages. */
function open() {
  let [reported, deviceState, seq]: [Partial<Charger['reported']>, Partial<DeviceState>, number] = [{}, {}, 10];
  function next<P, A>(handler: Parameters<typeof handle<P, A>>[0], payload: P, report: Situation['report'] = {}) {
    seq += 1;
    const situation = { reported, deviceState, position: [1, seq] as const };
    const result = handle(handler, payload, { ...situation, report: { id: `r-${String(seq)}`, ...report } });
    reported = result.charger.reported;
    const [row] = result.rows.deviceStates;
    if (row !== undefined) deviceState = row.to;
  }
  return {
    set: (message: MessageInfo, status: ResponseOf<'SetDisplayMessage'>['status'] = 'Accepted') =>
      next(setDisplayMessageOutcome, answered2<'SetDisplayMessage'>({ message }, { status }), { commandId: 'c' }),
    clear: (id: number, status: ResponseOf<'ClearDisplayMessage'>['status']) =>
      next(clearDisplayMessageOutcome, answered2<'ClearDisplayMessage'>({ id }, { status })),
    request: (
      criteria: Partial<RequestOf<'GetDisplayMessages'>> = {},
      status: ResponseOf<'GetDisplayMessages'>['status'] = 'Accepted',
    ) =>
      next(getDisplayMessagesOutcome, answered2<'GetDisplayMessages'>({ requestId: 7, ...criteria }, { status }), {
        action: 'GetDisplayMessages',
      }),
    part: (messageInfo: readonly MessageInfo[], tbc = false) =>
      next(notifyDisplayMessages, { requestId: 7, tbc, messageInfo }, { action: 'NotifyDisplayMessages' }),
    get messages() {
      return deviceState.displayMessages?.items ?? [];
    },
    get numbers() {
      return deviceState.displayMessages?.items.map(({ id }) => id) ?? [];
    },
    get listedAt() {
      return deviceState.displayMessages?.listedAt;
    },
  };
}

it('160. stores a display message that the charger accepted, without data of the vendor', () => {
  const world = open();
  const customData = { vendorId: 'v' };
  world.set(
    info(1, {
      state: 'Idle',
      endDateTime: '2026-01-01T14:00:00+02:00',
      transactionId: 'T-1',
      display: { name: 'Main', evse: { id: 1 } },
      message: { format: 'UTF8', language: 'en', content: 'Hello', customData },
      messageExtra: [{ format: 'UTF8', language: 'de', content: 'Hallo', customData }],
      customData,
    }),
  );
  expect(world.messages).toEqual([
    {
      id: 1,
      priority: 'InFront',
      state: 'Idle',
      endDateTime: '2026-01-01T12:00:00.000Z',
      deviceTransactionId: 'T-1',
      display: { name: 'Main', evse: { id: 1 } },
      message: { format: 'UTF8', language: 'en', content: 'Hello' },
      messageExtra: [{ format: 'UTF8', language: 'de', content: 'Hallo' }],
      setAt: RECEIVED_AT,
      commandId: 'c',
      position: [1, 11],
    },
  ]);
  expect(world.listedAt).toBeNull();
});

it('160. stores no display message that the charger refused', () => {
  const world = open();
  world.set(info(1), 'NotSupportedPriority');
  expect(world.numbers).toEqual([]);
});

it.each<[ResponseOf<'ClearDisplayMessage'>['status'], readonly number[]]>([
  ['Accepted', [2]],
  ['Unknown', [2]],
  ['Rejected', [1, 2]],
])('160. clears a display message on the response %s', (status, left) => {
  const world = open();
  world.set(info(1));
  world.set(info(2));
  world.clear(1, status);
  expect(world.numbers).toEqual(left);
});

it('151. replaces the display messages by a complete report, and keeps one that was set meanwhile', () => {
  const world = open();
  world.set(info(1));
  world.request();
  world.part([info(2)], true);
  world.set(info(3));
  expect(world.numbers).toEqual([1, 2, 3]);
  world.part([info(4)]);
  expect(world.numbers).toEqual([2, 3, 4]);
  expect(world.listedAt).toBe(RECEIVED_AT);
});

it('151. replaces the display messages also where the parts overtake the response', () => {
  const world = open();
  world.set(info(1));
  world.part([info(2)]);
  expect(world.numbers).toEqual([1, 2]);
  world.request();
  expect(world.numbers).toEqual([2]);
});

it('151. removes all display messages where the charger has none to report', () => {
  const world = open();
  world.set(info(1));
  world.request({}, 'Unknown');
  expect(world.numbers).toEqual([]);
});

it.each<Partial<RequestOf<'GetDisplayMessages'>>>([{ id: [2] }, { priority: 'InFront' }, { state: 'Idle' }])(
  '151. removes no display message by a report by %j',
  (criteria) => {
    const world = open();
    world.set(info(1));
    world.request(criteria);
    world.part([info(2)]);
    expect(world.numbers).toEqual([1, 2]);
    world.request(criteria, 'Unknown');
    expect([world.numbers, world.listedAt]).toEqual([[1, 2], null]);
  },
);
