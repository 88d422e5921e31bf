import { newCharger } from '../testing/charger';
import { storedTags } from '../testing/stored-tags';
import { newTag } from '../testing/tag';
import { storedTagOf } from './stored-tag';

const TAG = newTag({ idTag: 'Tag', type: 'ISO14443' });

it.each([
  ['finds it, in any case', 'ocpp2.0.1', 'TAG', { tag: TAG }],
  ['finds none that the client does not have', 'ocpp2.1', 'OTHER', { tag: undefined }],
  ['looks for none in OCPP 1.6', 'ocpp1.6', 'TAG', {}],
] as const)('129. of the tag that a command names: %s', async (_title, ocppVersion, rfidTag, expected) => {
  const charger = newCharger({ connection: { ocppVersion } });
  expect(await storedTagOf({ tags: storedTags(TAG) }, rfidTag)(charger)).toEqual(expected);
});
