/** Where versions differ in OCPP-J itself, beside their error codes. */
export interface RpcRules {
  /** It has SEND (6) and CALLRESULTERROR (5), and ids that no other message of the charger ever has (rules 115, 116, 119). */
  readonly hasSend: boolean;
  /** The id of the CALLERROR for a frame without a usable id. Undefined: such a frame is dropped (rules 30 and 110). */
  readonly anonymousId: string | undefined;
  /** Our message ids must be UUIDs (rule 118). */
  readonly hasUuids: boolean;
}

export const RPC_16: RpcRules = { hasSend: false, anonymousId: undefined, hasUuids: false };
export const RPC_201: RpcRules = { hasSend: false, anonymousId: '-1', hasUuids: true };
export const RPC_21: RpcRules = { hasSend: true, anonymousId: '-1', hasUuids: true };
