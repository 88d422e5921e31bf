import { afterRequest, CLOSED_CIRCUIT, mayAsk, type Circuit } from './circuit-breaker';

const after = (results: readonly boolean[], nowMs: number): Circuit =>
  results.reduce((circuit, isSuccess) => afterRequest(circuit, isSuccess, nowMs), CLOSED_CIRCUIT);
const failed = (count: number) => Array.from({ length: count }, () => false);

describe('the circuit breaker of an authorization endpoint', () => {
  it.each<[string, readonly boolean[], Circuit]>([
    ['stays closed after four failures', failed(4), { failures: 4, brokenUntilMs: null }],
    ['breaks for 10 s with the fifth failure in a row', failed(5), { failures: 5, brokenUntilMs: 11_000 }],
    ['counts from the last success', [...failed(4), true, ...failed(4)], { failures: 4, brokenUntilMs: null }],
    ['does not lengthen the break with further failures', failed(6), { failures: 6, brokenUntilMs: 11_000 }],
    ['closes with a success', [...failed(7), true], CLOSED_CIRCUIT],
  ])('%s', (_title, results, expected) => {
    expect(after(results, 1_000)).toEqual(expected);
  });

  it.each<[string, Circuit, number, number, boolean]>([
    ['allows any number while it is closed', { failures: 4, brokenUntilMs: null }, 0, 63, true],
    ['allows none before the end of the break', { failures: 5, brokenUntilMs: 11_000 }, 10_999, 0, false],
    ['allows one at the end of the break', { failures: 5, brokenUntilMs: 11_000 }, 11_000, 0, true],
    ['allows no second one beside it', { failures: 5, brokenUntilMs: 11_000 }, 11_000, 1, false],
  ])('%s', (...[, circuit, nowMs, inFlight, expected]) => {
    expect(mayAsk(circuit, nowMs, inFlight)).toBe(expected);
  });
});
