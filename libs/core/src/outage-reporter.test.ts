import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import { createOutageReporter } from './outage-reporter';

function openWorld() {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const outages = createOutageReporter({
    clock,
    logger,
    began: 'the store is unavailable',
    ended: 'the store is available again',
  });
  const lines = () => logger.lines.map(({ level, message }) => `${level} ${message}`);
  return { clock, logger, outages, lines };
}

describe('an outage reporter', () => {
  it('logs one line at the begin and one at the end, for any number of failures and causes', () => {
    const { clock, logger, outages, lines } = openWorld();
    for (let n = 0; n < 100; n += 1) outages.report(`queue ${String(n % 16)}`, 'no answer');
    expect(outages.active()).toBe(true);
    clock.advance(7_000);
    expect(outages.seconds()).toBe(7);
    for (let n = 0; n < 16; n += 1) outages.clear(`queue ${String(n)}`);
    expect(lines()).toEqual(['warn the store is unavailable', 'info the store is available again']);
    expect(logger.lines.map(({ fields }) => fields)).toEqual([{ cause: 'queue 0', reason: 'no answer' }, { forS: 7 }]);
    expect([outages.active(), outages.seconds()]).toEqual([false, 0]);
  });

  it('reminds once a minute, as an error, while failures are reported', () => {
    const { clock, outages, lines } = openWorld();
    for (let s = 0; s < 150; s += 1) {
      outages.report('queue', 'no answer');
      clock.advance(1_000);
    }
    expect(lines()).toEqual([
      'warn the store is unavailable',
      'error still: the store is unavailable',
      'error still: the store is unavailable',
    ]);
  });

  it('logs each new reason once, up to a limit', () => {
    const { outages, logger } = openWorld();
    for (let n = 0; n < 100; n += 1) outages.report('queue', `reason ${String(n)}`);
    for (let n = 0; n < 100; n += 1) outages.report('queue', 'reason 1');
    expect(logger.lines).toHaveLength(5);
  });

  it('begins again after its end, and ends once', () => {
    const { outages, lines } = openWorld();
    outages.clear('queue');
    outages.report('queue', 'no answer');
    outages.clear('queue');
    outages.clear('queue');
    outages.report('queue', 'no answer');
    expect(lines()).toEqual([
      'warn the store is unavailable',
      'info the store is available again',
      'warn the store is unavailable',
    ]);
  });
});
