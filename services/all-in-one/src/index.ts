export { allInOneSettings } from './config';
export { describeEnvironment, processSpecs } from './environment';
export { createAllInOne } from './service';
