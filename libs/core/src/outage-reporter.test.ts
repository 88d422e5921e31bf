import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import { createOutageReporter } from './outage-reporter';

function openWorld() {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const outages = createOutageReporter({ clock, logger, began: 'it is away', ended: 'it is back' });
  const lines = () => logger.lines.map(({ level, message }) => `${level} ${message}`);
  return { clock, logger, outages, lines };
}

describe('a trouble that lasts', () => {
  it('is one line when it begins and one when it ends, however often it is met and by however many', () => {
    const { clock, logger, outages, lines } = openWorld();
    for (let n = 0; n < 100; n += 1) outages.report(`queue ${String(n % 16)}`, 'no answer');
    expect(outages.active()).toBe(true);
    clock.advance(7_000);
    expect(outages.seconds()).toBe(7);
    for (let n = 0; n < 16; n += 1) outages.clear(`queue ${String(n)}`);
    expect(lines()).toEqual(['warn it is away', 'info it is back']);
    expect(logger.lines.map(({ fields }) => fields)).toEqual([{ cause: 'queue 0', reason: 'no answer' }, { forS: 7 }]);
    expect([outages.active(), outages.seconds()]).toEqual([false, 0]);
  });

  it('reminds once a minute, as an error, while it is met', () => {
    const { clock, outages, lines } = openWorld();
    for (let s = 0; s < 150; s += 1) {
      outages.report('queue', 'no answer');
      clock.advance(1_000);
    }
    expect(lines()).toEqual(['warn it is away', 'error still: it is away', 'error still: it is away']);
  });

  it('tells of each new reason once, and of only so many', () => {
    const { outages, logger } = openWorld();
    for (let n = 0; n < 100; n += 1) outages.report('queue', `reason ${String(n)}`);
    for (let n = 0; n < 100; n += 1) outages.report('queue', 'reason 1');
    expect(logger.lines).toHaveLength(5);
  });

  it('begins anew after it ended, and ends only once', () => {
    const { outages, lines } = openWorld();
    outages.clear('queue');
    outages.report('queue', 'no answer');
    outages.clear('queue');
    outages.clear('queue');
    outages.report('queue', 'no answer');
    expect(lines()).toEqual(['warn it is away', 'info it is back', 'warn it is away']);
  });
});
