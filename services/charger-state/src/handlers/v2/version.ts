// OCPP 2.0.1 and 2.1 as charger-state runs them: one table of handlers, since a field of both has one name.
import type { Version } from '../router';
import type { AfterBootDeps } from '../shared/after-boot';
import { createAfterBoot } from './after-boot';
import { createV2Routes } from './routes';

const NAMES = ['ocpp2.0.1', 'ocpp2.1'] as const;

/** The time after its boot that a charger may take to report its connectors' status before it is asked. */
const STATUS_GRACE_MS = 10_000;

export interface V2Deps extends Pick<AfterBootDeps, 'link' | 'reports' | 'clock' | 'logger'> {
  readonly settings: { readonly commandTimeoutS: number };
}

export function createV2({ settings, ...deps }: V2Deps): readonly Version[] {
  const routes = createV2Routes();
  const commandTimeoutMs = settings.commandTimeoutS * 1000;
  return NAMES.map((name) => {
    const afterBoot = createAfterBoot({ ...deps, commandTimeoutMs, statusGraceMs: STATUS_GRACE_MS });
    return {
      name,
      routes,
      start: () => Promise.resolve(),
      follow: (applied) => afterBoot.follow(applied),
      stop: () => afterBoot.stop(),
    };
  });
}
