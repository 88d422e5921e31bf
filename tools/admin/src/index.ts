export { adminSettings } from './config';
