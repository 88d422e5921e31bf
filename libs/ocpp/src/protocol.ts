// The differences between versions of OCPP, behind one interface. Each version's folder implements it, so that its users name
// no action and no field of a version.
import type { BootStatus, CertificateQuestion, PendingStart } from '@busbar/contracts';
import type { Action } from './action';
import type { CompiledAction, PayloadCheck } from './compiled';
import type { ErrorCodes } from './error-codes';
import type { OperationName, OperationTable } from './operations/operation';
import type { RepairRules } from './repair';
import type { RpcRules } from './rpc-rules';
import type { OcppVersion } from './version';

/** A CALL without its id. */
export interface ActionCall {
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface TransactionChange {
  readonly kind: 'began' | 'ended';
  readonly transactionId: string;
}

/** A tag that a charger presents, or wants to begin a transaction with. */
export interface TagQuestion {
  readonly action: 'authorize' | 'start';
  readonly rfidTag: string;
  /** Null where the CALL does not name it. */
  readonly socketId: number | null;
  /** The charger's own time, as it wrote it. Undefined: it asks now. */
  readonly timestamp: string | undefined;
}

/** In place of a socket's number: the charger and all its sockets. */
export const ALL_SOCKETS = -1;
/** Those of a CALL that reports no status: one list for all, since each CALL is asked. */
export const NO_SOCKETS: readonly number[] = [];

export interface Protocol {
  readonly version: OcppVersion;
  readonly rpc: RpcRules;
  /** By name with its case; a Map, so that `constructor` and `__proto__` are as unknown as any other name. */
  readonly actions: ReadonlyMap<string, Action>;
  /** For payloads from chargers. They stop at the first failure. */
  readonly schemas: ReadonlyMap<string, CompiledAction>;
  /** For payloads of the CALLs that we send: the standard to the letter. They report every failure. */
  readonly sent: ReadonlyMap<string, PayloadCheck>;
  /** Limits of repairs in a charger's payload. */
  readonly repairs: RepairRules;
  /** A situation without a code is not answered. */
  readonly errorCodes: ErrorCodes;
  /** When a payload of `null` means an empty one (rules 32 and 112): always, or where null fields are tolerated. */
  readonly nullIsEmpty: 'always' | 'tolerated';
  /** Its schemas have fields of any name or any JSON, so that a payload which fits may have names that cannot be stored. */
  readonly hasOpenFields: boolean;
  /** Busbar's operations as CALLs of this version; one that is absent is not supported. */
  readonly operations: OperationTable;
  /** The path of a field in an operation's input, by its path in the payload. */
  readonly operationPath: (operation: OperationName, path: string, input: object) => string;
  /** The remote start that a CALL of ours is. Undefined for any other, and for one that names no tag. */
  readonly remoteStartOf: (call: ActionCall) => PendingStart | undefined;
  /** The tag whose verdict a charger's CALL waits for. Undefined for a CALL that needs none. */
  readonly tagQuestionOf: (call: { readonly action: string; readonly payload: unknown }) => TagQuestion | undefined;
  /** What must be found out about certificates before a charger's CALL is decided. Absent: the version has no such CALL. */
  readonly certificateQuestionOf?: (action: string, payload: unknown) => CertificateQuestion | undefined;
  /** The authorization keys that a CALL of ours gives to the charger, each with its path in the payload. */
  readonly newKeysOf: (call: ActionCall) => readonly { readonly value: string; readonly path: string }[];
  /** The longest password of its charger, which is text (rule 152). Undefined: an authorization key is hexadecimal (1.6). */
  readonly maxPasswordCharacters: number | undefined;
  /** The variable whose maximum takes the place of `maxPasswordCharacters`, where the charger has reported one. */
  readonly passwordVariable?: string;
  /** The sockets whose status a charger's CALL reports, each once: 0 is the charger itself. Empty for any other CALL. */
  readonly statusSocketsOf: (call: { readonly action: string; readonly payload: unknown }) => readonly number[];
  /** Returns the transaction that a charger's CALL with this answer begins or ends. Undefined for any other. */
  readonly transactionChangeOf: (
    call: { readonly action: string; readonly payload: unknown },
    answer: Readonly<Record<string, unknown>>,
  ) => TransactionChange | undefined;
  /** Whether a charger must be accepted by a BootNotification before its other CALLs are (rules 121 and 122). */
  readonly requiresBoot: boolean;
  /** Returns what the answer to a charger's BootNotification says. Undefined for any other CALL. */
  readonly bootStatusOf: (action: string, answer: Readonly<Record<string, unknown>>) => BootStatus | undefined;
  /** The action that a CALL of ours makes the charger send, which is then accepted before its boot is. */
  readonly solicitedBy: (call: ActionCall) => string | undefined;
  /** The CALL that asks a charger to report the status of a socket again. Undefined: the version has none for this one. */
  readonly refreshCall: (socket: number) => ActionCall | undefined;
}
