export { administer } from './administration';
export type { AdministrationOptions } from './administration';
