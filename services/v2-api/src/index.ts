export { v2Api } from './app';
