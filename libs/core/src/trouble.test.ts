import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import { createTrouble } from './trouble';

function openWorld() {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const trouble = createTrouble({ clock, logger, began: 'it is away', ended: 'it is back' });
  const lines = () => logger.lines.map(({ level, message }) => `${level} ${message}`);
  return { clock, logger, trouble, lines };
}

describe('a trouble that lasts', () => {
  it('is one line when it begins and one when it ends, however often it is met and by however many', () => {
    const { clock, logger, trouble, lines } = openWorld();
    for (let n = 0; n < 100; n += 1) trouble.lasts(`queue ${String(n % 16)}`, 'no answer');
    expect(trouble.active()).toBe(true);
    clock.advance(7_000);
    expect(trouble.seconds()).toBe(7);
    for (let n = 0; n < 16; n += 1) trouble.over(`queue ${String(n)}`);
    expect(lines()).toEqual(['warn it is away', 'info it is back']);
    expect(logger.lines.map(({ fields }) => fields)).toEqual([{ cause: 'queue 0', reason: 'no answer' }, { forS: 7 }]);
    expect([trouble.active(), trouble.seconds()]).toEqual([false, 0]);
  });

  it('reminds once a minute, as an error, while it is met', () => {
    const { clock, trouble, lines } = openWorld();
    for (let s = 0; s < 150; s += 1) {
      trouble.lasts('queue', 'no answer');
      clock.advance(1_000);
    }
    expect(lines()).toEqual(['warn it is away', 'error still: it is away', 'error still: it is away']);
  });

  it('tells of each new reason once, and of only so many', () => {
    const { trouble, logger } = openWorld();
    for (let n = 0; n < 100; n += 1) trouble.lasts('queue', `reason ${String(n)}`);
    for (let n = 0; n < 100; n += 1) trouble.lasts('queue', 'reason 1');
    expect(logger.lines).toHaveLength(5);
  });

  it('begins anew after it ended, and ends only once', () => {
    const { trouble, lines } = openWorld();
    trouble.over('queue');
    trouble.lasts('queue', 'no answer');
    trouble.over('queue');
    trouble.over('queue');
    trouble.lasts('queue', 'no answer');
    expect(lines()).toEqual(['warn it is away', 'info it is back', 'warn it is away']);
  });
});
