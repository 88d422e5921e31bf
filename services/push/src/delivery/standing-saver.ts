// Stores the standing of one webhook by compare-and-set: each second, or each 50 deliveries. A standing that another process has written
// is lost: the deliveries begin again from what is stored.
import type { WebhookStanding, WebhookStandings } from '@busbar/domain/webhooks';

export interface StandingSaverDeps {
  readonly standings: Pick<WebhookStandings, 'save'>;
  /** As it is stored. */
  readonly standing: WebhookStanding;
  /** What the next save stores. */
  readonly current: () => Omit<WebhookStanding, 'revision'>;
  /** The result of each save. */
  readonly onEnd: (error?: unknown) => void;
  readonly onLost: () => void;
}

export type StandingSaver = ReturnType<typeof createStandingSaver>;

/** Nothing more is sent while so many are not stored: a kill repeats at most these, with what is in flight. */
const MAX_UNSAVED = 100;
/** Sending continues during a save. */
const DELIVERIES_PER_SAVE = MAX_UNSAVED / 2;
/** Saves of events that passed without a delivery. */
const IDLE_TICKS = 10;

export function createStandingSaver({ standings, standing, current, onEnd, onLost }: StandingSaverDeps) {
  let { revision } = standing;
  let unsaved = 0;
  let isDirty = false;
  let isLost = false;
  let ticks = 0;
  let saving: Promise<boolean> | undefined;

  async function write(): Promise<boolean> {
    const counted = unsaved;
    isDirty = false;
    ticks = 0;
    try {
      const isSaved = await standings.save({ ...current(), revision: revision + 1 }, revision);
      if (isSaved) {
        revision += 1;
        unsaved -= counted;
      } else {
        isLost = true;
        onLost();
      }
      onEnd();
      return isSaved;
    } catch (error) {
      isDirty = true;
      onEnd(error);
      return false;
    }
  }

  function save(): Promise<boolean> {
    if (isLost) return Promise.resolve(false);
    return (saving ??= write().finally(() => (saving = undefined)));
  }

  return {
    /** Something to store that can wait. */
    touch: () => void (isDirty = true),
    /** An event was delivered. */
    delivered(): void {
      unsaved += 1;
      if (unsaved >= DELIVERIES_PER_SAVE) void save();
    },
    /** Whether sending must wait for a save. `inFlight`: may be delivered before it. */
    isFull: (inFlight: number) => unsaved + inFlight >= MAX_UNSAVED,
    /** Called each second. */
    tick(): void {
      ticks += 1;
      if (unsaved > 0 || (isDirty && ticks >= IDLE_TICKS)) void save();
    },
    /** Stores what is there at this moment. False where that failed or the standing is lost. */
    async saveNow(): Promise<boolean> {
      await saving;
      return save();
    },
    /** Stores what is not stored yet. */
    async flush(): Promise<void> {
      await saving;
      if (unsaved > 0 || isDirty) await save();
    },
  };
}
