import type { ReportEnvelope } from '@busbar/contracts';
import type { Handler, Report } from './handler';

/** A handler behind the one place where a payload, checked against its version's schema, gets its type. */
export type Route = Handler<unknown>;

export interface Routes {
  /** What the charger calls. */
  readonly calls: ReadonlyMap<string, Route>;
  /** How CALLs of ours ended: only those whose answer changes the record. */
  readonly outcomes: ReadonlyMap<string, Route>;
}

export type Router = (report: ReportEnvelope) => Route | undefined;

/** Finds the handler by OCPP version, kind and action. */
export function createRouter(versions: Readonly<Record<string, Routes>>): Router {
  const byVersion = new Map(Object.entries(versions));
  return (report) => {
    const routes = byVersion.get(report.ocppVersion);
    return report.kind === 'outcome' ? routes?.outcomes.get(report.action) : routes?.calls.get(report.action);
  };
}

/** Gives a handler's payload type up. What reaches it by this table was validated by the gateway against that action's schema. */
export function route<Payload>(handler: Handler<Payload>): Route {
  const { prepare, apply } = handler;
  return {
    ...(prepare ? { prepare: (needs, charger, report) => prepare(needs, charger, report as Report<Payload>) } : {}),
    apply: (charger, report, context) => apply(charger, report as Report<Payload>, context),
  };
}
