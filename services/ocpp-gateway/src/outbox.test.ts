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
  const outbox = createOutbox(0, {
    clock,
    broker: {
      enqueue(_channel, _partition, body, done) {
        sent.push((body as ReportBatch).reports.map((report) => report.id));
        confirms.push(done);
      },
    },
    backoff: backoff({ firstMs: 100, maxMs: 1000, random: () => 0 }),
    onFailure: () => undefined,
  });
  const push = (id: string, expiresAtMs?: number) =>
    outbox.push({
      report: { id } as ReportEnvelope,
      ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
      done: (how) => settled.push(`${id} ${how}`),
    });
  const confirm = (failure?: PublishFailure) => confirms.shift()?.(failure);
  return { clock, outbox, sent, settled, push, confirm };
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
});
