// What differs between versions of OCPP, behind one shape. A version is a folder that makes one of these.
import type { Action } from './action';
import type { CompiledAction } from './compiled';
import type { OcppVersion } from './version';

export interface Protocol {
  readonly version: OcppVersion;
  /** Keyed by name with its case; a Map, so that `constructor` and `__proto__` are as unknown as any other word. */
  readonly actions: ReadonlyMap<string, Action>;
  readonly schemas: ReadonlyMap<string, CompiledAction>;
  /** Whether a payload of `null` means an empty one (rule 32). */
  readonly nullIsEmpty: boolean;
}
