import { readSettings } from '@busbar/runtime';
import { aloneSettings, drainCheck } from './config';

const read = (env: Readonly<Record<string, string>>) =>
  readSettings(aloneSettings, { BROKER_URL: 'amqp://localhost', ...env }, [drainCheck]);

describe('the settings of a gateway', () => {
  it.each<Readonly<Record<string, string>>>([
    {},
    { DRAIN_S: '0', SHUTDOWN_TIMEOUT_S: '20' },
    { DRAIN_S: '540', SHUTDOWN_TIMEOUT_S: '560', DRAIN_CODE: '1012' },
  ])('accept a stop that is long enough for the drain: %j', (env) => {
    expect(read(env)).toBeDefined();
  });

  it.each<Readonly<Record<string, string>>>([
    { DRAIN_S: '60' },
    { SHUTDOWN_TIMEOUT_S: '29' },
    { DRAIN_S: '540', SHUTDOWN_TIMEOUT_S: '559' },
  ])('refuse a stop that is shorter than the drain and 20 s with one sentence: %j', (env) => {
    const { DRAIN_S = '10', SHUTDOWN_TIMEOUT_S = '30' } = env;
    expect(() => read(env)).toThrow(
      `SHUTDOWN_TIMEOUT_S is ${SHUTDOWN_TIMEOUT_S} and DRAIN_S is ${DRAIN_S}: set SHUTDOWN_TIMEOUT_S to ${String(Number(DRAIN_S) + 20)} or more, which is DRAIN_S and 20 seconds, or lower DRAIN_S.`,
    );
  });
});
