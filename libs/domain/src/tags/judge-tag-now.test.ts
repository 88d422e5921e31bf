import { createFakeClock } from '@busbar/testing';
import type { Client } from '../clients/client';
import type { Session } from '../sessions/session';
import { newSession } from '../testing/session';
import { storedTags } from '../testing/stored-tags';
import { newTag } from '../testing/tag';
import { judgeTagNow } from './judge-tag-now';
import type { Tag, TagVerdict } from './tag';

const NOW = '2026-02-01T00:00:00.000Z';
const PLACE = { incarnationId: 'ACME_1-1', socketId: 1 };

interface Situation {
  readonly tags?: readonly Tag[];
  readonly sessions?: readonly Session[];
  readonly openCharging?: boolean;
  readonly clients?: readonly string[];
}

function judge({ tags = [], sessions = [], openCharging = false, clients = ['client'] }: Situation) {
  const clientOf = (clientId: string): Client => ({ clientId, name: '', openCharging, createdAt: NOW });
  const deps = {
    tags: storedTags(...tags),
    clients: { find: (id: string) => Promise.resolve(clients.includes(id) ? clientOf(id) : undefined) },
    sessions: {
      findOngoingByTags: (clientId: string, keys: readonly string[]) =>
        Promise.resolve(sessions.filter((each) => each.clientId === clientId && keys.includes(each.idTagKey))),
    },
    clock: createFakeClock(new Date(NOW)),
  };
  return judgeTagNow(deps, 'client', { idTag: 'TAG' }, PLACE);
}

describe('the verdict on a tag now', () => {
  it.each<[string, TagVerdict, Situation]>([
    ['a tag in any case', 'accepted', { tags: [newTag({ idTag: 'tAG' })] }],
    ['a tag that expires now', 'expired', { tags: [newTag({ expiringDate: NOW })] }],
    ['a tag that is valid from now on', 'accepted', { tags: [newTag({ startDate: NOW })] }],
    ['an unknown tag', 'unknown', {}],
    ['a tag of another client', 'unknown', { tags: [newTag({ clientId: 'other' })] }],
    ['an unknown tag of a client with open charging', 'accepted', { openCharging: true }],
    ['an unknown tag of a client that is deleted meanwhile', 'unknown', { openCharging: true, clients: [] }],
    [
      'a blocked tag of a client with open charging',
      'blocked',
      { openCharging: true, tags: [newTag({ blocked: true })] },
    ],
  ])('judges %s as %s', async (_title, verdict, situation) => {
    expect(await judge(situation)).toBe(verdict);
  });

  it.each<[string, TagVerdict, Partial<Session>]>([
    ['at another socket', 'in_use', { socketId: 2 }],
    ['at another socket, in another case', 'in_use', { socketId: 2, idTag: 'tAg' }],
    ['at another charger', 'in_use', { chargerId: 'ACME_2' }],
    ['there', 'accepted', {}],
    ['of another tag', 'accepted', { socketId: 2, idTag: 'Other' }],
    ['of another client', 'accepted', { socketId: 2, clientId: 'other' }],
  ])('61. judges a tag with a session %s as %s', async (_title, verdict, part) => {
    expect(await judge({ tags: [newTag()], sessions: [newSession(part)] })).toBe(verdict);
  });
});
