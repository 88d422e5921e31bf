import { protocolOf, STRICT, supportedVersions, validateRequest, type Protocol } from '@busbar/ocpp';
import { goodCalls } from './frames';

function spoken(version: string): Protocol {
  const protocol = protocolOf(version);
  if (protocol === undefined) throw new Error(`there is no ${version}`);
  return protocol;
}

describe.each(supportedVersions())('the fuzz of %s', (version) => {
  it('175. makes its good messages fit their schemas to the letter', () => {
    for (const { action, payload } of goodCalls(version)) {
      const judged = validateRequest(spoken(version), action, payload, STRICT);
      expect([action, judged]).toMatchObject([action, { ok: true, deviations: [] }]);
    }
  });

  it('175. sends every action of a charger, a SEND as one, and an action of the service', () => {
    const rows = [...spoken(version).actions.values()];
    const named = new Map(goodCalls(version).map(({ action, type }) => [action, type]));
    const fromCharger = rows.filter(({ from }) => from !== 'us');
    expect(fromCharger.map(({ name }) => [name, named.get(name)])).toEqual(
      fromCharger.map(({ name, kind }) => [name, kind === 'send' ? 6 : 2]),
    );
    expect(rows.some(({ name, from }) => from === 'us' && named.has(name))).toBe(true);
  });
});
