import { execFileSync } from 'node:child_process';

it('103. loads the handlers of 2.x with the first look-up of one, and not before', () => {
  const script = `
    require('./services/charger-state/dist');
    const { createV2OnDemand } = require('./services/charger-state/dist/handlers/v2/on-demand');
    const loaded = () => Object.keys(require.cache).filter((path) => /handlers.v2.(?!on-demand)/.test(path)).length;
    const versions = createV2OnDemand({ settings: { commandTimeoutS: 1 }, authorities: {} });
    const outcome = async () => {
      for (const version of versions) await version.start();
      for (const version of versions) version.stop();
      const before = loaded();
      const found = versions.map(({ name, routes }) => [name, routes.calls.has('TransactionEvent')]);
      console.log(JSON.stringify([before, Object.fromEntries(found), loaded() > 40]));
    };
    void outcome();
  `;
  const root = `${__dirname}/../../../../..`;
  const output = execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual([0, { 'ocpp2.0.1': true, 'ocpp2.1': true }, true]);
});
