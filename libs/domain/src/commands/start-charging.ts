import { AppError, type ErrorCode } from '@busbar/core';
import type { Charger } from '../chargers/charger';
import { isOfOcpp16 } from '../chargers/charger-view';
import type { TagVerdict } from '../tags/tag';
import { callCharger, type CallChargerDeps, type ChargerCommand, type ChargerOwner } from './call-charger';
import { authorizeRemoteStart, type AskDeps } from '../real-time-authorization/authorize-remote-start';
import { judgeTagNow, type JudgeTagDeps } from '../tags/judge-tag-now';
import type { Commanded } from './record-command';
import { storedTagOf } from './stored-tag';

export interface StartChargingInput {
  readonly socketId: number;
  /** Of the socket as OCPP 2.x has it. A charger of 1.6 has none: there it is ignored. */
  readonly evseId?: number | undefined;
  readonly rfidTag: string;
  /** Refuses a tag also when it is unknown, not yet valid or in use, as for a driver who presents it. */
  readonly validateRfid: boolean;
}

const REFUSALS: Readonly<Record<Exclude<TagVerdict, 'accepted'>, readonly [code: ErrorCode, message: string]>> = {
  unknown: ['tag_unknown', 'This RFID tag is unknown.'],
  blocked: ['tag_blocked', 'This RFID tag is blocked.'],
  expired: ['tag_expired', 'This RFID tag has expired.'],
  not_yet_valid: ['tag_not_yet_valid', 'This RFID tag is not valid yet.'],
  in_use: ['tag_in_use', 'This RFID tag has a session in progress at another socket.'],
  not_allowed_here: ['tag_refused', 'The endpoint for real-time authorization does not allow this RFID tag here.'],
  no_credit: ['tag_refused', 'The endpoint for real-time authorization refused this RFID tag: it has no credit.'],
};

/** Verdicts that a remote start does not override. */
const ALWAYS_REFUSED: readonly TagVerdict[] = ['blocked', 'expired'];

/** The error for each verdict. */
export const TAG_ERRORS: readonly ErrorCode[] = [...new Set(Object.values(REFUSALS).map(([code]) => code))];

export type TagCheckDeps = JudgeTagDeps & AskDeps;

/**
 * Asks the charger to start a session. The remote start authorizes it, unless the tag is blocked or expired. Throws as
 * `callCharger` does, and as `tagCheck` does, before the charger is called.
 */
export function startCharging<Answer extends object>(
  deps: CallChargerDeps & TagCheckDeps,
  owner: ChargerOwner,
  input: StartChargingInput,
  command: Omit<ChargerCommand<Answer>, 'check'>,
): Promise<Answer & Commanded> {
  return callCharger(deps, owner, {
    ...command,
    check: tagCheck(deps, owner, input),
    stored: storedTagOf(deps, input.rfidTag),
  });
}

/**
 * Throws `tag_…` for a refused tag, before the charger is called. With `validateRfid` the client's endpoint for real-time authorization
 * is asked about a tag that the client does not have: `tag_refused` where it refuses, `unavailable` where it gives no verdict and its
 * `onFailure` refuses.
 */
export function tagCheck(
  deps: TagCheckDeps,
  { clientId }: ChargerOwner,
  { socketId, evseId, rfidTag, validateRfid }: StartChargingInput,
): (charger: CheckedCharger) => Promise<void> {
  return async (charger) => {
    const authorization = validateRfid ? await authorizeRemoteStart(deps, charger, { socketId, rfidTag }) : undefined;
    const device = { evseId: isOfOcpp16(charger) ? null : (evseId ?? null) };
    const place = { incarnationId: charger.incarnationId, socketId, device };
    const verdict = await judgeTagNow(deps, clientId, { idTag: rfidTag, authorization }, place);
    if (verdict === 'accepted' || (!validateRfid && !ALWAYS_REFUSED.includes(verdict))) return;
    const [code, message] = REFUSALS[verdict];
    throw new AppError(code, message);
  };
}

type CheckedCharger = Pick<Charger, 'clientId' | 'chargerId' | 'incarnationId' | 'registered' | 'connection'>;
