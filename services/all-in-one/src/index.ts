export { allInOneSettings } from './config';
export { describeEnvironment } from './environment';
export { createAllInOne } from './service';
