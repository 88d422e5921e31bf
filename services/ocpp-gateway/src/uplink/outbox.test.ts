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
  const ends: string[] = [];
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
      done: (how) => ends.push(`${id} ${how}`),
    });
  const push = (id: string, expiresAtMs?: number) => pushWith(id, {}, expiresAtMs);
  const confirm = (failure?: PublishFailure) => confirms.shift()?.(failure);
  return { clock, outbox, sent, ends, failures, unsendable, push, pushWith, confirm };
}

describe('the outbox of a partition', () => {
  it('sends one report immediately, and those that arrive before its confirm as the next batch', () => {
    const { sent, ends, push, confirm } = openWorld();
    push('a');
    push('b');
    push('c');
    expect(sent).toEqual([['a']]);
    confirm();
    expect(sent).toEqual([['a'], ['b', 'c']]);
    expect(ends).toEqual(['a confirmed']);
    confirm();
    expect(ends).toEqual(['a confirmed', 'b confirmed', 'c confirmed']);
  });

  it('retries an unconfirmed batch unchanged, before later reports', () => {
    const { clock, sent, ends, push, confirm } = openWorld();
    push('a');
    confirm('unavailable');
    push('b');
    expect(sent).toEqual([['a']]);
    clock.advance(100);
    expect(sent).toEqual([['a'], ['a']]);
    confirm();
    confirm();
    expect(sent).toEqual([['a'], ['a'], ['b']]);
    expect(ends).toEqual(['a confirmed', 'b confirmed']);
  });

  it('gives up expired reports, except those that must not be lost', () => {
    const { clock, outbox, ends, push, confirm } = openWorld();
    push('a', 50);
    confirm('unavailable');
    push('b', 50);
    push('c');
    outbox.expire(60);
    expect(ends).toEqual(['a expired', 'b expired']);
    expect(outbox.size()).toBe(1);
    clock.advance(100);
    confirm();
    expect(ends).toEqual(['a expired', 'b expired', 'c confirmed']);
  });

  it('69. reports a publish in flight as expired, once, without cancelling it: the broker may have it', () => {
    const { outbox, sent, ends, push, confirm } = openWorld();
    push('a', 50);
    push('b');
    outbox.expire(60);
    outbox.expire(70);
    expect(ends).toEqual(['a expired']);
    confirm();
    confirm();
    expect(sent).toEqual([['a'], ['b']]);
    expect(ends).toEqual(['a expired', 'b confirmed']);
  });

  it('69. does not retry a report that expired in flight when its publish fails', () => {
    const { clock, outbox, sent, ends, push, confirm } = openWorld();
    push('a', 50);
    push('b');
    outbox.expire(60);
    confirm('unavailable');
    clock.advance(1_000);
    confirm();
    expect(sent).toEqual([['a'], ['b']]);
    expect(ends).toEqual(['a expired', 'b confirmed']);
  });

  it('retries immediately when the broker is connected again', () => {
    const { outbox, sent, push, confirm } = openWorld();
    push('a');
    confirm('refused');
    outbox.retryNow();
    expect(sent).toEqual([['a'], ['a']]);
  });

  it('limits a batch to the size of a broker message, and to one report at least', () => {
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

  it('halves a batch that the broker can never accept, in order and without backoff', () => {
    const { sent, ends, failures, push, confirm } = openWorld();
    for (const id of ['first', 'a', 'b', 'c', 'd', 'e']) push(id);
    confirm();
    push('later');
    confirm('unsendable');
    confirm('unsendable');
    for (let left = 0; left < 3; left += 1) confirm();
    expect(sent).toEqual([['first'], ['a', 'b', 'c', 'd', 'e'], ['a', 'b', 'c'], ['a', 'b'], ['c', 'd', 'e', 'later']]);
    expect(ends).toEqual(['first', 'a', 'b', 'c', 'd', 'e', 'later'].map((id) => `${id} confirmed`));
    expect(failures).toEqual([]);
  });

  it('gives up a report that the broker can never accept, reports it once, and continues with the next', () => {
    const { outbox, sent, ends, unsendable, push, confirm } = openWorld();
    push('a');
    push('b');
    confirm('unsendable');
    confirm();
    expect(sent).toEqual([['a'], ['b']]);
    expect(ends).toEqual(['a expired', 'b confirmed']);
    expect(unsendable).toEqual(['a']);
    expect(outbox.size()).toBe(0);
  });

  it('reports a report that expired in flight and cannot be sent only once', () => {
    const { outbox, sent, ends, unsendable, push, confirm } = openWorld();
    push('a', 50);
    push('b');
    outbox.expire(60);
    confirm('unsendable');
    expect(sent).toEqual([['a'], ['b']]);
    expect(ends).toEqual(['a expired']);
    expect(unsendable).toEqual([]);
  });
});
