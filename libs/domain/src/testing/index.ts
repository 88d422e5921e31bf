// Documents for tests, valid and small: a test names only the parts that it is about. And the stored ones, in memory.
export { newAuthorizationEndpoint } from './authorization-endpoint';
export { newCharger } from './charger';
export { newDeviceTransaction, newSession } from './session';
export { newSite } from './site';
export { storedAuthorizationEndpoints } from './stored-authorization-endpoints';
export { storedChargers } from './stored-chargers';
export { storedFeed } from './stored-feed';
export { storedSites } from './stored-sites';
export { storedTags } from './stored-tags';
export { newTag } from './tag';
export { newAttempt, newDeadDelivery, newStanding, newWebhook } from './webhook';
