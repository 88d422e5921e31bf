import { createReplay, type Replay } from '@busbar/ocpp';
import { createFakeClock } from '@busbar/testing';
import { createReplayArchive } from './replay-archive';

const KEY = 'incarnation';
const CALL = { id: '1', numericId: false, action: 'LogStatusNotification', payload: { status: 'Idle' } };
const MINUTE_MS = 60_000;

/** A charger whose connections follow each other. */
function openLine() {
  const clock = createFakeClock();
  const archive = createReplayArchive(clock);
  let replay: Replay = createReplay();
  let order = 1;
  replay.begin(CALL, 'text');
  replay.recordAnswer(CALL, 'answer');
  return {
    clock,
    /** `elsewhere`: connections to other gateways in between. */
    reconnect({ elsewhere = 0 } = {}) {
      archive.put({ incarnationId: KEY, order, replay });
      order += 1 + elsewhere;
      replay = createReplay(undefined, archive.take({ incarnationId: KEY, order }));
    },
    repeat: () => replay.begin(CALL, 'text').kind,
  };
}

it('119. repeats an answer for ten minutes after its connection, however often the charger reconnects', () => {
  const { clock, reconnect, repeat } = openLine();
  reconnect();
  clock.advance(6 * MINUTE_MS);
  expect(repeat()).toBe('answered');
  reconnect();
  clock.advance(3 * MINUTE_MS);
  reconnect();
  expect(repeat()).toBe('answered');
  clock.advance(2 * MINUTE_MS);
  expect(repeat()).toBe('new');
});

it('119. passes no old answer to a connection', () => {
  const { clock, reconnect, repeat } = openLine();
  reconnect();
  clock.advance(11 * MINUTE_MS);
  reconnect();
  expect(repeat()).toBe('new');
});

it('119. repeats no answer to a message without a time after a connection to another gateway: the charger may have booted', () => {
  const { reconnect, repeat } = openLine();
  reconnect({ elsewhere: 1 });
  expect(repeat()).toBe('new');
});
