import { join } from 'node:path';

/** The clone that this is built in. */
export const REPOSITORY = join(__dirname, '../../..');
/** Results, profiles and, while it runs, data: beside the data that `npm start` keeps, on the same disk. */
export const BENCH_DIRECTORY = join(REPOSITORY, 'data/bench');
