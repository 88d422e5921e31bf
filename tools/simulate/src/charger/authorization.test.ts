import type { CallResult } from '@busbar/ocpp';
import { authorize } from './authorization';
import { createChargerState, type ChargerState } from './charger-state';
import type { TagInfo } from './local-list';

const NOW = new Date('2026-01-01T00:00:00Z');
const ACCEPTED: TagInfo = { status: 'Accepted' };
const BLOCKED: TagInfo = { status: 'Blocked' };

interface Situation {
  readonly list?: TagInfo;
  readonly cache?: TagInfo;
  readonly configuration?: Readonly<Record<string, string>>;
  readonly offline?: true;
  readonly service?: TagInfo | 'timeout';
}

async function judge({ list, cache, configuration = {}, offline, service = ACCEPTED }: Situation) {
  const state: ChargerState = createChargerState(1, NOW);
  if (list !== undefined) state.localList.tags.set('tag', list);
  if (cache !== undefined) state.cache.set('tag', cache);
  for (const [key, value] of Object.entries(configuration)) state.configuration.set(key, value);
  let asked = 0;
  const ask = (): Promise<CallResult> => {
    asked += 1;
    if (service === 'timeout') return Promise.resolve({ outcome: 'timeout' });
    return Promise.resolve({ outcome: 'answered', payload: { idTagInfo: service }, deviations: [] });
  };
  const info = await authorize({ state, now: () => NOW, isOnline: () => offline !== true, ask }, 'Tag');
  return { status: info.status, asked, cached: state.cache.get('tag')?.status };
}

it.each<[string, Situation, { status: string; asked: number; cached: string | undefined }]>([
  ['asks the service and caches its answer', {}, { status: 'Accepted', asked: 1, cached: 'Accepted' }],
  ['asks although the list knows the tag', { list: BLOCKED }, { status: 'Accepted', asked: 1, cached: 'Accepted' }],
  [
    'does not ask with LocalPreAuthorize and a tag in the list',
    { list: ACCEPTED, configuration: { LocalPreAuthorize: 'true' } },
    { status: 'Accepted', asked: 0, cached: undefined },
  ],
  [
    'asks with LocalPreAuthorize where the list blocks the tag',
    { list: BLOCKED, configuration: { LocalPreAuthorize: 'true' } },
    { status: 'Accepted', asked: 1, cached: 'Accepted' },
  ],
  [
    'caches nothing with the cache disabled',
    { configuration: { AuthorizationCacheEnabled: 'false' } },
    { status: 'Accepted', asked: 1, cached: undefined },
  ],
  ['takes no answer as Invalid', { service: 'timeout' }, { status: 'Invalid', asked: 1, cached: undefined }],
  ['takes the cache offline', { offline: true, cache: ACCEPTED }, { status: 'Accepted', asked: 0, cached: 'Accepted' }],
  [
    'takes the list before the cache offline',
    { offline: true, list: BLOCKED, cache: ACCEPTED },
    { status: 'Blocked', asked: 0, cached: 'Accepted' },
  ],
  ['refuses an unknown tag offline', { offline: true }, { status: 'Invalid', asked: 0, cached: undefined }],
  [
    'accepts an unknown tag offline with AllowOfflineTxForUnknownId',
    { offline: true, configuration: { AllowOfflineTxForUnknownId: 'true' } },
    { status: 'Accepted', asked: 0, cached: undefined },
  ],
])('%s', async (_title, situation, expected) => {
  expect(await judge(situation)).toEqual(expected);
});
