import { noRows } from '@busbar/domain/reports';
import { handle } from '../../testing/handler-situation';
import { heartbeat } from './heartbeat';

// The gateway answers with the time, and the pipeline sets `lastSeen` for every frame (rule 68).
it('changes nothing and stores nothing for a Heartbeat', () => {
  const { charger, before, rows, answer } = handle(heartbeat, {});
  expect(charger).toBe(before);
  expect(rows).toEqual(noRows());
  expect(answer).toBeUndefined();
});
