export { simulateSettings } from './config';
