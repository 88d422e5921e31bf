// OCPP 2.0.1 and 2.1 as charger-state runs them: one table of handlers, since a field of both has one name.
import type { Version } from '../router';
import { createV2Routes } from './routes';

const NAMES = ['ocpp2.0.1', 'ocpp2.1'] as const;

export function createV2(): readonly Version[] {
  const routes = createV2Routes();
  return NAMES.map((name) => ({
    name,
    routes,
    start: () => Promise.resolve(),
    follow: () => undefined,
    stop: () => undefined,
  }));
}
