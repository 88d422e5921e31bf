// Documents for tests, valid and small: a test names only the parts that it is about.
export { newCharger } from './charger';
export { newSession } from './session';
export { newTag } from './tag';
