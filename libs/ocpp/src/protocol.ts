// What differs between versions of OCPP, behind one shape. A version is a folder that makes one of these.
import type { Action } from './action';
import type { CompiledAction, PayloadCheck } from './compiled';
import type { OcppVersion } from './version';

export interface Protocol {
  readonly version: OcppVersion;
  /** Keyed by name with its case; a Map, so that `constructor` and `__proto__` are as unknown as any other word. */
  readonly actions: ReadonlyMap<string, Action>;
  /** For what chargers send. Of what is wrong, only the first is told. */
  readonly schemas: ReadonlyMap<string, CompiledAction>;
  /** For payloads of the CALLs that we send: the standard to the letter, and all that is wrong is told. */
  readonly sent: ReadonlyMap<string, PayloadCheck>;
  /** Whether a payload of `null` means an empty one (rule 32). */
  readonly nullIsEmpty: boolean;
}
