// THE table of what has changed in stored documents since the first version, in order. The last one is what this program
// writes and reads. A new migration is one file here and one line.
import { fillListed } from './fill-listed';
import { fillOwnState } from './fill-own-state';
import { fillTally } from './fill-tally';
import type { Migration } from './migration';

export const MIGRATIONS: readonly Migration[] = [fillOwnState, fillListed, fillTally];
