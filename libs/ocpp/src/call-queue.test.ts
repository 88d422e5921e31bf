import { createFakeClock } from '@busbar/testing';
import { createCallQueue, type CallEnd, type CallQueueOptions, type OutgoingCall } from './call-queue';
import { TOLERANT } from './deviation';
import { parseFrame } from './frame';
import { ocpp16 } from './v16/protocol';

const reset = { action: 'Reset', payload: { type: 'Soft' }, timeoutMs: 1_000 };

interface Queued {
  readonly name: string;
  readonly end: CallEnd;
}

function world(options: Partial<CallQueueOptions> = {}) {
  const clock = createFakeClock();
  const sent: string[] = [];
  const ends: Queued[] = [];
  let ids = 0;
  const queue = createCallQueue({
    clock,
    send: (text) => sent.push(text),
    mintId: () => `id${String((ids += 1))}`,
    protocol: ocpp16,
    tolerance: TOLERANT,
    maxWaiting: 2,
    maxWaitMs: 10_000,
    ...options,
  });
  const call = (name: string, more: Partial<OutgoingCall> = {}): void =>
    queue.call({ ...reset, ...more }, (end) => ends.push({ name, end }));
  const answer = (text: string): boolean => {
    const frame = parseFrame(text);
    if (frame.type !== 'result' && frame.type !== 'error') throw new Error(frame.type);
    return queue.receive(frame);
  };
  const outcomes = (): string[] => ends.map(({ name, end }) => `${name} ${end.outcome.outcome}`);
  return { clock, queue, sent, ends, call, answer, outcomes };
}

describe('the queue of our CALLs', () => {
  it('25. has one CALL in flight; the others wait in order', () => {
    const { call, answer, sent, outcomes } = world();
    for (const name of ['a', 'b', 'c']) call(name);
    expect(sent).toEqual(['[2,"id1","Reset",{"type":"Soft"}]']);
    answer('[3,"id1",{"status":"Accepted"}]');
    expect(sent).toHaveLength(2);
    answer('[3,"id2",{"status":"Rejected"}]');
    answer('[3,"id3",{"status":"Accepted"}]');
    expect(outcomes()).toEqual(['a answered', 'b answered', 'c answered']);
  });

  it('25. refuses calls beyond its limit as busy', () => {
    const { call, sent, outcomes, queue } = world();
    for (const name of ['a', 'b', 'c', 'd']) call(name);
    expect(outcomes()).toEqual(['d busy']);
    expect(sent).toHaveLength(1);
    expect(queue.state()).toEqual({ inFlight: true, waiting: 2, unmatched: 0 });
  });

  it('25. accepts a shorter wait for one call', () => {
    const { call, clock, outcomes } = world({ maxWaitMs: 900 });
    call('a');
    call('b', { waitMs: 100 });
    call('c', { waitMs: 5_000 });
    clock.advance(200);
    expect(outcomes()).toEqual(['b busy']);
    clock.advance(750);
    expect(outcomes()).toEqual(['b busy', 'c busy']);
  });

  it('25. ends a call that waited too long as busy, unsent', () => {
    const { call, clock, sent, outcomes, answer } = world({ maxWaitMs: 500 });
    call('a', { timeoutMs: 5_000 });
    call('b');
    clock.advance(499);
    expect(outcomes()).toEqual([]);
    clock.advance(1);
    expect(outcomes()).toEqual(['b busy']);
    answer('[3,"id1",{"status":"Accepted"}]');
    expect(sent).toHaveLength(1);
  });

  it('25. queues a call from within a callback behind the waiting ones', () => {
    const { queue, call, answer, sent, clock, outcomes } = world({ maxWaitMs: 500 });
    queue.call(reset, () => {
      call('x', { payload: { type: 'X' } });
      call('y', { payload: { type: 'Y' } });
    });
    call('b', { payload: { type: 'B' }, timeoutMs: 5_000 });
    answer('[3,"id1",{"status":"Accepted"}]');
    expect(sent[1]).toContain('"B"');
    expect(queue.state()).toMatchObject({ inFlight: true, waiting: 2 });
    clock.advance(500);
    expect(outcomes()).toEqual(['x busy', 'y busy']);
  });

  it('26. ends a call at its timeout and sends the next; counts the late answer as unmatched', () => {
    const { call, clock, answer, sent, outcomes, queue } = world();
    call('a');
    call('b');
    clock.advance(999);
    expect(outcomes()).toEqual([]);
    clock.advance(1);
    expect(outcomes()).toEqual(['a timeout']);
    expect(sent).toHaveLength(2);
    expect(answer('[3,"id1",{"status":"Accepted"}]')).toBe(false);
    expect(outcomes()).toEqual(['a timeout']);
    expect(answer('[3,"id2",{"status":"Accepted"}]')).toBe(true);
    expect(outcomes()).toEqual(['a timeout', 'b answered']);
    expect(queue.state()).toEqual({ inFlight: false, waiting: 0, unmatched: 1 });
  });

  it('26. starts the timeout of a call when it is sent', () => {
    const { call, clock, answer, outcomes } = world();
    call('a');
    call('b');
    clock.advance(900);
    answer('[3,"id1",{"status":"Accepted"}]');
    clock.advance(900);
    expect(outcomes()).toEqual(['a answered']);
    clock.advance(100);
    expect(outcomes()).toEqual(['a answered', 'b timeout']);
  });

  it('27. ends every call immediately with the connection, and sends none again', () => {
    const { call, queue, sent, outcomes, clock, ends } = world();
    call('a');
    call('b');
    queue.close();
    queue.close();
    call('c');
    clock.advance(60_000);
    expect(outcomes()).toEqual(['a disconnected', 'b disconnected', 'c disconnected']);
    expect(sent).toHaveLength(1);
    expect(ends.map(({ end }) => end.sent)).toEqual([sent[0], undefined, undefined]);
  });

  it('27. treats a socket that throws as a lost connection', () => {
    const { call, outcomes, queue } = world({
      send: () => {
        throw new Error('not open');
      },
    });
    call('a');
    expect(outcomes()).toEqual(['a disconnected']);
    expect(queue.state()).toMatchObject({ inFlight: false, waiting: 0 });
  });

  it('34. ignores an unmatched answer', () => {
    const { call, answer, outcomes } = world();
    expect(answer('[3,"id1",{}]')).toBe(false);
    call('a');
    expect(answer('[3,"other",{}]')).toBe(false);
    expect(answer('[4,"other","InternalError","",{}]')).toBe(false);
    expect(outcomes()).toEqual([]);
  });

  it.each([['[3,"id1",{"status":7}]'], ['[3,"id1",{}]'], ['[3,"id1"]'], ['[3,"id1","x"]'], ['[3,"id1",null]']])(
    '35. ends a call as invalid for the answer %s',
    (text) => {
      const { call, answer, outcomes, queue } = world();
      call('a');
      expect(answer(text)).toBe(true);
      expect(outcomes()).toEqual(['a invalid_answer']);
      expect(queue.state().inFlight).toBe(false);
    },
  );

  it("36. ends a call with the code of a CALLERROR in the version's spelling", () => {
    const { call, answer, ends } = world();
    call('a');
    answer('[4,"id1","FormatViolation"]');
    expect(ends[0]?.end).toEqual({
      outcome: { outcome: 'error', code: 'FormationViolation', description: '' },
      sent: '[2,"id1","Reset",{"type":"Soft"}]',
    });
  });

  it('45. keeps and counts vendor fields in an answer', () => {
    const { call, answer, ends } = world();
    call('a');
    answer('[3,"id1",{"status":"Later","vendor":1}]');
    expect(ends[0]?.end.outcome).toEqual({
      outcome: 'answered',
      payload: { status: 'Later', vendor: 1 },
      deviations: ['unknown_enum_value', 'vendor_field'],
    });
  });
});
