import type { PublishFailure } from '@busbar/broker';
import type { ReportBatch, ReportEnvelope } from '@busbar/contracts';
import { backoff } from '@busbar/core';
import { createFakeClock } from '@busbar/testing';
import { createOutbox } from './outbox';

/** A broker whose confirms the test gives. */
function openWorld() {
  const clock = createFakeClock();
  const sent: string[][] = [];
  const confirms: ((failure?: PublishFailure) => void)[] = [];
  const settled: string[] = [];
  const failures: PublishFailure[] = [];
  const unsendable: string[] = [];
  const outbox = createOutbox(0, {
    clock,
    broker: {
      enqueue(_channel, _partition, body, done) {
        sent.push((body as ReportBatch).reports.map((report) => report.id));
        confirms.push(done);
      },
    },
    backoff: backoff({ firstMs: 100, maxMs: 1000, random: () => 0 }),
    onFailure: (failure) => failures.push(failure),
    onUnsendable: (report) => unsendable.push(report.id),
  });
  const pushWith = (id: string, part: Partial<ReportEnvelope>, expiresAtMs = Infinity) =>
    outbox.push({
      report: { id, kind: 'report', raw: '', ...part } as ReportEnvelope,
      expiresAtMs,
      done: (how) => settled.push(`${id} ${how}`),
    });
  const push = (id: string, expiresAtMs?: number) => pushWith(id, {}, expiresAtMs);
  const confirm = (failure?: PublishFailure) => confirms.shift()?.(failure);
  return { clock, outbox, sent, settled, failures, unsendable, push, pushWith, confirm };
}

describe('the line of a partition', () => {
  it('sends one at once, and what comes before its confirm as one batch after it', () => {
    const { sent, settled, push, confirm } = openWorld();
    push('a');
    push('b');
    push('c');
    expect(sent).toEqual([['a']]);
    confirm();
    expect(sent).toEqual([['a'], ['b', 'c']]);
    expect(settled).toEqual(['a confirmed']);
    confirm();
    expect(settled).toEqual(['a confirmed', 'b confirmed', 'c confirmed']);
  });

  it('repeats an unconfirmed batch as it was, before anything that came later', () => {
    const { clock, sent, settled, push, confirm } = openWorld();
    push('a');
    confirm('unavailable');
    push('b');
    expect(sent).toEqual([['a']]);
    clock.advance(100);
    expect(sent).toEqual([['a'], ['a']]);
    confirm();
    confirm();
    expect(sent).toEqual([['a'], ['a'], ['b']]);
    expect(settled).toEqual(['a confirmed', 'b confirmed']);
  });

  it('gives up what waited too long, but not what must not be lost', () => {
    const { clock, outbox, settled, push, confirm } = openWorld();
    push('a', 50);
    confirm('unavailable');
    push('b', 50);
    push('c');
    outbox.expire(60);
    expect(settled).toEqual(['a expired', 'b expired']);
    expect(outbox.size()).toBe(1);
    clock.advance(100);
    confirm();
    expect(settled).toEqual(['a expired', 'b expired', 'c confirmed']);
  });

  it('69. tells what is under way as given up, once, and leaves it under way: it may be in already', () => {
    const { outbox, sent, settled, push, confirm } = openWorld();
    push('a', 50);
    push('b');
    outbox.expire(60);
    outbox.expire(70);
    expect(settled).toEqual(['a expired']);
    confirm();
    confirm();
    expect(sent).toEqual([['a'], ['b']]);
    expect(settled).toEqual(['a expired', 'b confirmed']);
  });

  it('69. does not repeat what was given up while it was under way and then failed', () => {
    const { clock, outbox, sent, settled, push, confirm } = openWorld();
    push('a', 50);
    push('b');
    outbox.expire(60);
    confirm('unavailable');
    clock.advance(1_000);
    confirm();
    expect(sent).toEqual([['a'], ['b']]);
    expect(settled).toEqual(['a expired', 'b confirmed']);
  });

  it('tries at once when the broker is back', () => {
    const { outbox, sent, push, confirm } = openWorld();
    push('a');
    confirm('refused');
    outbox.retryNow();
    expect(sent).toEqual([['a'], ['a']]);
  });

  it('puts no more frames into one batch than a broker message holds, and at least one', () => {
    const { sent, push, pushWith, confirm } = openWorld();
    push('first');
    pushWith('large', { raw: 'x'.repeat(600_000) });
    for (const id of ['a', 'b', 'c']) {
      pushWith(id, { kind: 'outcome', raw: 'x'.repeat(100_000), request: 'x'.repeat(20_000) });
    }
    confirm();
    confirm();
    confirm();
    expect(sent).toEqual([['first'], ['large'], ['a', 'b'], ['c']]);
  });

  it('halves a batch that the broker can never take, in order and without waiting, until it goes', () => {
    const { sent, settled, failures, push, confirm } = openWorld();
    for (const id of ['first', 'a', 'b', 'c', 'd', 'e']) push(id);
    confirm();
    push('later');
    confirm('unsendable');
    confirm('unsendable');
    for (let left = 0; left < 3; left += 1) confirm();
    expect(sent).toEqual([['first'], ['a', 'b', 'c', 'd', 'e'], ['a', 'b', 'c'], ['a', 'b'], ['c', 'd', 'e', 'later']]);
    expect(settled).toEqual(['first', 'a', 'b', 'c', 'd', 'e', 'later'].map((id) => `${id} confirmed`));
    expect(failures).toEqual([]);
  });

  it('gives up the one that the broker can never take, says so once, and goes on with what is behind it', () => {
    const { outbox, sent, settled, unsendable, push, confirm } = openWorld();
    push('a');
    push('b');
    confirm('unsendable');
    confirm();
    expect(sent).toEqual([['a'], ['b']]);
    expect(settled).toEqual(['a expired', 'b confirmed']);
    expect(unsendable).toEqual(['a']);
    expect(outbox.size()).toBe(0);
  });

  it('tells nobody twice of one that was given up while it was under way and could never go', () => {
    const { outbox, sent, settled, unsendable, push, confirm } = openWorld();
    push('a', 50);
    push('b');
    outbox.expire(60);
    confirm('unsendable');
    expect(sent).toEqual([['a'], ['b']]);
    expect(settled).toEqual(['a expired']);
    expect(unsendable).toEqual([]);
  });
});
