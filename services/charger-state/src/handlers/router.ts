import type { Applied, Handler, Router } from '../pipeline/contract';

/** The handlers of one OCPP version, by action. */
export interface Routes {
  /** CALLs from the charger. */
  readonly calls: ReadonlyMap<string, Handler>;
  /** Results of CALLs to the charger: only those that change what is stored. */
  readonly outcomes: ReadonlyMap<string, Handler>;
}

/** One OCPP version: its handlers, and what follows from stored messages. */
export interface Version {
  /** As in the websocket subprotocol. */
  readonly name: string;
  readonly routes: Routes;
  /** Checks the settings. Rejects with `invalid_configuration`. */
  start(): Promise<void>;
  /** Called with the messages of this version in each stored batch, before its acknowledgement. Never waits, never throws. */
  follow(applied: readonly Applied[]): void;
  stop(): void;
}

/** Finds the handler by OCPP version, kind and action. */
export function createRouter(versions: Readonly<Record<string, Routes>>): Router {
  const byVersion = new Map(Object.entries(versions));
  return (report) => {
    const routes = byVersion.get(report.ocppVersion);
    return report.kind === 'outcome' ? routes?.outcomes.get(report.action) : routes?.calls.get(report.action);
  };
}

/** Gives each version its own messages of a batch. */
export function followVersions(
  versions: readonly Pick<Version, 'name' | 'follow'>[],
  applied: readonly Applied[],
): void {
  for (const version of versions) {
    const own = applied.filter(({ report }) => report.ocppVersion === version.name);
    if (own.length > 0) version.follow(own);
  }
}
