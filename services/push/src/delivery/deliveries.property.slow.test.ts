import type { AttemptOutcome } from '@busbar/domain/webhooks';
import fc from 'fast-check';
import { createDeliveryModel, type Step } from '../testing/delivery-model';

/** Up to the given lengths: short lists meet nothing. */
const FULL = { size: 'max' } as const;
/** Chargers of one stream: their partition is a hash of their id. */
const streams = fc.tuple(
  ...['a', 'b'].map((name) =>
    fc.array(fc.array(fc.constantFrom(null, `${name}1`, `${name}2`, `${name}3`), { maxLength: 6, ...FULL }), {
      maxLength: 6,
      ...FULL,
    }),
  ),
);
const outcome = fc.constantFrom<AttemptOutcome>('delivered', 'delivered', 'webhook_failed', 'event_refused');
const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Step>({ kind: 'load' }) },
  { weight: 6, arbitrary: fc.constant<Step>({ kind: 'send' }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('end' as const), which: fc.nat(9), outcome }) },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ kind: 'save' }, { kind: 'kill' }, { kind: 'makeRoom' }) },
  { weight: 2, arbitrary: fc.constant<Step>({ kind: 'wait' }) },
);

it.each(['charger', 'none'] as const)(
  'delivers or parks every event under any outcomes, saves and kills, each charger in order: %s',
  (ordering) => {
    fc.assert(
      fc.property(
        streams,
        fc.integer({ min: 1, max: 4 }),
        fc.array(step, { maxLength: 150, ...FULL }),
        (feed, limit, steps) => {
          const model = createDeliveryModel({ ordering, maxInFlight: limit, streams: feed });
          for (const each of steps) {
            model.run(each);
            expect(model.inFlight().length).toBeLessThanOrEqual(limit + 1);
          }
          model.finish();
          const wanted = model.wanted();
          const missing = wanted.filter(
            ({ eventId }) => !model.delivered.includes(eventId) && !model.dead.has(eventId),
          );
          expect(missing).toEqual([]);
          expect(model.repeated).toEqual([]);
          if (ordering === 'none') return;
          for (const charger of new Set(wanted.map(({ chargerId }) => chargerId))) {
            const own = wanted.filter(({ chargerId }) => chargerId === charger).map(({ eventId }) => eventId);
            const inOrder = own.filter((id) => model.delivered.includes(id) && !model.dead.has(id));
            expect(model.delivered.filter((id) => inOrder.includes(id))).toEqual(inOrder);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  },
);
