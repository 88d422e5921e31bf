import { keepAliveTimers, systemClock } from './clock';

/** Timers that keep this process alive. */
const lasting = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

it.each([
  ['keepAliveTimers keeps', keepAliveTimers, 1],
  ['the system clock does not keep', systemClock, 0],
])('%s a process alive until a timer is over', (_who, clock, more) => {
  const before = lasting();
  const timer = clock.after(60_000, () => undefined);
  expect(lasting() - before).toBe(more);
  timer.cancel();
  expect(lasting()).toBe(before);
});
