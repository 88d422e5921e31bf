export { allInOneSettings } from './config';
export { createAllInOne } from './service';
