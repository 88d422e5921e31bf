export { legacyApi } from './app';
