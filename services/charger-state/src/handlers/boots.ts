import { isAfter, type Position } from '@busbar/contracts';
import { type Charger } from '@busbar/domain/chargers';

/** Whether the charger has booted since: its clock may be another one now, so its timestamps of before and after do not compare. */
export function hasBootedSince({ reported: { boot } }: Charger, position: Position): boolean {
  return boot !== null && isAfter(boot.position, position);
}
