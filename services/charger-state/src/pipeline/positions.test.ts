import fc from 'fast-check';
import type { Position } from '@busbar/contracts';
import { applyPosition } from './positions';

describe('the positions applied to a charger', () => {
  it('takes a message once', () => {
    const once = applyPosition([], [1, 1]);
    expect(once).toEqual([[1, 1]]);
    expect(applyPosition(once ?? [], [1, 1])).toBeUndefined();
  });

  it('takes late messages of an older connection', () => {
    const applied: readonly Position[] = [
      [1, 3],
      [2, 1],
    ];
    expect(applyPosition(applied, [1, 4])).toEqual([
      [1, 4],
      [2, 1],
    ]);
  });

  it('retains the newest eight connections', () => {
    let applied: readonly Position[] = [];
    for (let order = 1; order <= 10; order += 1) applied = applyPosition(applied, [order, 1]) ?? applied;
    expect(applied.map(([order]) => order)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
    expect(applyPosition(applied, [1, 9])).toBeUndefined();
  });

  it('counts each message once, however often and over which connections it is delivered', () => {
    const streams = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(streams, fc.infiniteStream(fc.boolean()), (orders, again) => {
        let applied: readonly Position[] = [];
        const counts = new Map<number, number>();
        const seqs = new Map<number, number>();
        const deliver = (order: number, seq: number): void => {
          const next = applyPosition(applied, [order, seq]);
          if (next === undefined) return;
          applied = next;
          counts.set(order, (counts.get(order) ?? 0) + 1);
        };
        for (const order of orders) {
          const seq = (seqs.get(order) ?? 0) + 1;
          seqs.set(order, seq);
          deliver(order, seq);
          if (again.next().value) for (let old = 1; old <= seq; old += 1) deliver(order, old);
        }
        expect(counts).toEqual(seqs);
      }),
    );
  });
});
