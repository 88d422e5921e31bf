// OCPP 2.x as charger-state has it until a charger speaks it: by name alone, as the validators are (rule 103). The handlers are
// fifty modules, which a deployment of OCPP 1.6 starts without.
import type { Version } from '../router';
import type * as loaded from './version';

const NAMES = ['ocpp2.0.1', 'ocpp2.1'] as const;

/** Both versions. Their settings are checked at the start, and each is loaded when its first message comes. */
export function createV2OnDemand(deps: loaded.V2Deps): readonly Version[] {
  return NAMES.map((name) => {
    let made: ReturnType<typeof loaded.createV2> | undefined;
    const version = () => {
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- the look-up is synchronous, and an import would load at once
      made ??= (require('./version') as typeof loaded).createV2(deps);
      return made;
    };
    return {
      name,
      routes: {
        get calls() {
          return version().routes.calls;
        },
        get outcomes() {
          return version().routes.outcomes;
        },
      },
      start: async () => {
        await Promise.all(Object.values(deps.authorities).map((authority) => authority.check()));
      },
      follow: (applied) => {
        version().follow(applied);
      },
      stop: () => made?.stop(),
    };
  });
}
