import type { Position } from '@busbar/contracts';
import type { Timestamp } from '../timestamp';

/** A message that a charger has sent, by its content. */
export interface RecentMessage {
  /** Of the action and payload; of the message id too, where the message has no time of its own. */
  readonly key: string;
  readonly position: Position;
  /** Its receipt. */
  readonly at: Timestamp;
}
