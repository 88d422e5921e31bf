import type { Situation } from '../../../testing/handler-situation';
import { CHARGING, createStored, ENDED, IDLE, STARTED, type Payload } from '../../../testing/stored-transactions';

it('141. announces once an end whose row was stored without its record, by the next event of it', () => {
  const lost = createStored();
  for (const payload of [STARTED, CHARGING]) lost.send(payload);
  const reported = lost.reported();
  lost.send(ENDED, { id: 'first' });
  const endsBy = (situation: Situation, payloads: readonly Payload[]) => {
    const stored = createStored({ ...situation, sessions: lost.sessions() });
    return payloads.map((payload, n) => {
      const { emitted, deviations } = stored.send(payload, { id: `again-${String(n)}` });
      // It is the same event.
      expect(deviations).toEqual([]);
      return emitted.filter(({ type }) => type === 'session.ended').length;
    });
  };
  // The charger got no answer, and its message is another one.
  expect(endsBy({ reported }, [ENDED, ENDED])).toEqual([1, 0]);
  expect(endsBy({ reported }, [IDLE, ENDED])).toEqual([1, 0]);
  // The record has not even the start.
  expect(endsBy({}, [STARTED, ENDED])).toEqual([1, 0]);
  expect(endsBy({}, [ENDED, STARTED])).toEqual([1, 0]);
});
