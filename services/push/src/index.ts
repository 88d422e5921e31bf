export { aloneSettings, pushSettings } from './config';
export { createPush } from './service';
