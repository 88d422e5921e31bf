import { AppError, type ErrorCode } from '@busbar/core';
import type { TagVerdict } from '../tag';
import { callCharger, type CallChargerDeps, type ChargerCommand, type ChargerOwner } from './call-charger';
import { judgeTagNow, type JudgeTagDeps } from './judge-tag-now';

export interface StartChargingInput {
  readonly socketId: number;
  readonly rfidTag: string;
  /** Refuses a tag that the charger's own StartTransaction would be refused for, before the charger is called. */
  readonly validateRfid: boolean;
}

const REFUSALS: Readonly<Record<Exclude<TagVerdict, 'accepted'>, readonly [code: ErrorCode, message: string]>> = {
  unknown: ['tag_unknown', 'This RFID tag is not known.'],
  blocked: ['tag_blocked', 'This RFID tag is blocked.'],
  expired: ['tag_expired', 'This RFID tag has expired.'],
  not_yet_valid: ['tag_not_yet_valid', 'This RFID tag is not valid yet.'],
  in_use: ['tag_in_use', 'This RFID tag has a session under way at another socket.'],
};

/** How a tag that is validated may be refused. */
export const TAG_ERRORS: readonly ErrorCode[] = Object.values(REFUSALS).map(([code]) => code);

/** Asks the charger to start a session. Throws as `callCharger` does, and `tag_…` where the tag is validated and refused. */
export function startCharging<Answer>(
  deps: CallChargerDeps & JudgeTagDeps,
  owner: ChargerOwner,
  { socketId, rfidTag, validateRfid }: StartChargingInput,
  command: Omit<ChargerCommand<Answer>, 'check'>,
): Promise<Answer> {
  if (!validateRfid) return callCharger(deps, owner, command);
  return callCharger(deps, owner, {
    ...command,
    async check({ incarnationId }) {
      const verdict = await judgeTagNow(deps, owner.clientId, rfidTag, { incarnationId, socketId });
      if (verdict === 'accepted') return;
      const [code, message] = REFUSALS[verdict];
      throw new AppError(code, message);
    },
  });
}
