import type { HttpReply } from '@busbar/testing';
import { codeOf, openApp, type TestApp } from '../testing/open-app';

describe('tags of the v2 API', () => {
  let world: TestApp;

  beforeAll(async () => {
    world = await openApp();
  });

  afterAll(() => world.close());

  const asOther = () => ({ 'x-api-key': world.other.secret });
  const read = (idTag: string) => world.call('GET', `/tags/${idTag}`);
  const idsOf = (reply: HttpReply) => (reply.json()['items'] as { idTag: string }[]).map(({ idTag }) => idTag);

  it('creates a tag with 200, shows all fields, and finds it without case', async () => {
    const made = await world.post('/tags', {
      idTag: 'Card 7',
      startDate: '2026-01-01T01:00:00+01:00',
      expiringDate: '2099-01-01T00:00:00Z',
      tokenName: 'Blue card',
      type: 'ISO15693',
      blocked: true,
      parentIdTag: 'FLEET',
      externalId: 'crm/7',
    });
    expect(made.status).toBe(200);
    expect(made.json()).toEqual({
      idTag: 'Card 7',
      type: 'ISO15693',
      startDate: '2026-01-01T00:00:00.000Z',
      expiringDate: '2099-01-01T00:00:00.000Z',
      tokenName: 'Blue card',
      blocked: true,
      parentIdTag: 'FLEET',
      externalId: 'crm/7',
      updatedAt: expect.stringMatching(/Z$/) as string,
      lastUsedAt: null,
    });
    expect((await read('cARD%207')).json()).toEqual(made.json());
  });

  it('154. has tags and parents of up to 255 characters, in bodies, paths, imports and searches', async () => {
    const idTag = `${'Long~tag '.repeat(28)}Nr1`;
    const parentIdTag = 'P'.repeat(255);
    const made = await world.post('/tags', { idTag, parentIdTag });
    expect([idTag.length, made.status, made.json()]).toMatchObject([255, 200, { idTag, parentIdTag }]);
    // Each character percent-encoded.
    const path = Array.from(idTag.toUpperCase(), (character) => `%${character.charCodeAt(0).toString(16)}`).join('');
    expect((await read(path)).json()).toEqual(made.json());
    const changed = await world.call('PATCH', `/tags/${path}`, { body: { parentIdTag: null, tokenName: 'Long' } });
    expect(changed.json()).toMatchObject({ idTag, parentIdTag: null });
    const imported = await world.post('/tags/import', { tags: [{ idTag, parentIdTag }, { idTag: 'Q'.repeat(255) }] });
    expect(imported.json()).toEqual({ created: 1, changed: 1, unchanged: 0 });
    expect(idsOf(await world.call('GET', `/tags?search=${path}`))).toEqual([idTag]);
    expect((await world.call('DELETE', `/tags/${path}`)).status).toBe(200);
    expect(codeOf(await read(path))).toBe('404 not_found');
    expect(codeOf(await read('x'.repeat(256)))).toBe('400 invalid_request');
  });

  it('47. treats a tag that differs in case as the same tag', async () => {
    await world.post('/tags', { idTag: 'Twin' });
    expect(codeOf(await world.post('/tags', { idTag: 'tWIN', blocked: true }))).toBe('409 tag_exists');
    expect((await read('TWIN')).json()).toMatchObject({ idTag: 'Twin', blocked: false });
  });

  it('treats null as absent, and a null flag as its default', async () => {
    const nulls = {
      tokenName: null,
      type: null,
      parentIdTag: null,
      blocked: null,
      startDate: null,
      expiringDate: null,
    };
    const made = await world.post('/tags', { idTag: 'NULLS', externalId: null, ...nulls });
    const { updatedAt, ...shown } = made.json();
    expect(shown).toEqual({ idTag: 'NULLS', externalId: null, ...nulls, blocked: false, lastUsedAt: null });
    expect((await world.call('PATCH', '/tags/NULLS', { body: { blocked: true } })).json()['blocked']).toBe(true);
    const cleared = (await world.call('PATCH', '/tags/NULLS', { body: { blocked: null } })).json();
    expect(cleared).toMatchObject(shown);
    expect(String(cleared['updatedAt']) >= String(updatedAt)).toBe(true);
    expect((await world.call('GET', '/tags/NULLS')).json()).toEqual(cleared);
  });

  it('keeps absent fields of a change and clears null ones', async () => {
    await world.post('/tags', {
      idTag: 'CHANGE',
      tokenName: 'Old',
      externalId: 'e',
      expiringDate: '2099-01-01T00:00:00Z',
    });
    const changed = await world.call('PATCH', '/tags/change', { body: { tokenName: null, blocked: true } });
    expect(changed.json()).toMatchObject({
      idTag: 'CHANGE',
      tokenName: null,
      externalId: 'e',
      blocked: true,
      expiringDate: '2099-01-01T00:00:00.000Z',
    });
    expect((await read('CHANGE')).json()).toEqual(changed.json());
    expect((await world.call('PATCH', '/tags/CHANGE', { body: {} })).json()).toEqual(changed.json());
    expect((await world.call('PATCH', '/tags/CHANGE', { body: { expiringDate: null } })).json()).toMatchObject({
      expiringDate: null,
    });
  });

  it('deletes a tag only once', async () => {
    await world.post('/tags', { idTag: 'GONE' });
    expect((await world.call('DELETE', '/tags/gone')).status).toBe(200);
    expect(codeOf(await world.call('DELETE', '/tags/GONE'))).toBe('404 not_found');
    expect(codeOf(await read('GONE'))).toBe('404 not_found');
    expect((await world.post('/tags', { idTag: 'GONE' })).status).toBe(200);
  });

  it("hides and protects another client's tags", async () => {
    await world.post('/tags', { idTag: 'PRIVATE' });
    const headers = asOther();
    expect(codeOf(await world.call('GET', '/tags/PRIVATE', { headers }))).toBe('404 not_found');
    expect(codeOf(await world.call('PATCH', '/tags/PRIVATE', { headers, body: { blocked: true } }))).toBe(
      '404 not_found',
    );
    expect(codeOf(await world.call('DELETE', '/tags/PRIVATE', { headers }))).toBe('404 not_found');
    expect((await world.call('GET', '/tags', { headers })).json()).toMatchObject({ totalRecords: 0, items: [] });
    expect((await world.post('/tags', { idTag: 'private' }, headers)).status).toBe(200);
    expect((await read('PRIVATE')).json()).toMatchObject({ idTag: 'PRIVATE', blocked: false });
  });

  it.each([
    ['', ['list-b', 'LIST-c', 'list-x']],
    ['?sortKey=tokenName', ['list-x', 'LIST-c', 'list-b']],
    ['?sortKey=tokenName&sortDescending=true', ['list-b', 'LIST-c', 'list-x']],
    ['?search=LIST-', ['list-b', 'LIST-c', 'list-x']],
    ['?search=zo', ['list-b']],
    // The matched name continues with a character beyond 16 bits.
    ['?search=ad', ['list-x']],
    ['?search=Ext', ['list-b', 'LIST-c']],
    ['?search=nothing', []],
    ['?limit=2&page=2', ['list-x']],
  ])('lists by %s', async (query, ids) => {
    const own = await openApp();
    await own.post('/tags', { idTag: 'list-x', tokenName: 'Ad🚗am' });
    await own.post('/tags', { idTag: 'LIST-c', tokenName: 'berta', externalId: 'Ext2' });
    await own.post('/tags', { idTag: 'list-b', tokenName: 'Zoe', externalId: 'Ext1' });
    expect(idsOf(await own.call('GET', `/tags${query}`))).toEqual(ids);
    await own.close();
  });

  it.each([
    ['no idTag', {}],
    ['an empty idTag', { idTag: '' }],
    ['an idTag of 256 characters', { idTag: 'x'.repeat(256) }],
    ['a parentIdTag of 256 characters', { idTag: 'BAD', parentIdTag: 'x'.repeat(256) }],
    ['an idTag with a space at its end', { idTag: 'a ' }],
    ['an idTag beyond ASCII', { idTag: 'é' }],
    ['an invalid date', { idTag: 'BAD', startDate: 'today' }],
    [
      'dates in the wrong order',
      { idTag: 'BAD', startDate: '2026-02-01T00:00:00Z', expiringDate: '2026-01-01T00:00:00Z' },
    ],
    ['an unknown field', { idTag: 'BAD', colour: 'red' }],
    ['blocked that is a text', { idTag: 'BAD', blocked: 'yes' }],
  ])('rejects %s and stores nothing', async (_what, body) => {
    expect(codeOf(await world.post('/tags', body))).toBe('400 invalid_request');
    expect((await read('BAD')).status).toBe(404);
  });

  it('rejects a change that leaves no time between the dates', async () => {
    await world.post('/tags', { idTag: 'DATES', startDate: '2026-02-01T00:00:00Z' });
    const body = { expiringDate: '2026-01-01T00:00:00Z' };
    expect(codeOf(await world.call('PATCH', '/tags/DATES', { body }))).toBe('400 invalid_request');
    expect((await read('DATES')).json()).toMatchObject({ expiringDate: null });
    expect(codeOf(await world.call('PATCH', '/tags/DATES', { body: { idTag: 'NEW' } }))).toBe('400 invalid_request');
  });

  describe('an import', () => {
    const row = (n: number) => ({ idTag: `IMPORT${String(n)}`, tokenName: `Car ${String(n)}` });
    const send = (tags: readonly object[]) => world.post('/tags/import', { tags });

    it('stores ten thousand tags, and changes nothing when it is repeated', async () => {
      const tags = Array.from({ length: 10_000 }, (_, n) => row(n));
      expect((await send(tags)).json()).toEqual({ created: 10_000, changed: 0, unchanged: 0 });
      expect((await read('import9999')).json()).toMatchObject({ idTag: 'IMPORT9999', tokenName: 'Car 9999' });
      expect((await send(tags)).json()).toEqual({ created: 0, changed: 0, unchanged: 10_000 });
      const changes = [{ idTag: 'import0', blocked: true }, { idTag: 'import_new' }];
      expect((await send(changes)).json()).toEqual({ created: 1, changed: 1, unchanged: 0 });
      expect((await read('IMPORT0')).json()).toMatchObject({ blocked: true, tokenName: 'Car 0' });
    }, 60_000);

    it('stores none where one is invalid, and names each invalid row', async () => {
      const reply = await send([
        { idTag: 'FINE' },
        { idTag: ' spaced' },
        { tokenName: 'no tag' },
        { idTag: 'OK', colour: 'red', blocked: 'yes' },
        7,
      ] as object[]);
      expect(codeOf(reply)).toBe('400 invalid_request');
      const paths = (reply.json()['errors'] as { path: string }[]).map(({ path }) => path);
      expect(paths).toEqual(['/tags/1/idTag', '/tags/2/idTag', '/tags/3/colour', '/tags/4']);
      const twice = await send([{ idTag: 'FINE' }, { idTag: 'fine' }]);
      expect(twice.json()['errors']).toEqual([
        { path: '/tags/1/idTag', message: 'is the tag of row 1 too; tags are compared without case' },
      ]);
      expect((await read('FINE')).status).toBe(404);
    });

    it('is bounded: rows, bytes, and issues in a response', async () => {
      expect(codeOf(await send(Array.from({ length: 10_001 }, (_, n) => row(n))))).toBe('400 invalid_request');
      expect(codeOf(await send([]))).toBe('400 invalid_request');
      expect(codeOf(await send([{ idTag: 'A', tokenName: 'x'.repeat(4_000_000) }]))).toBe('413 body_too_large');
      const wrong = await send(Array.from({ length: 5_000 }, () => ({})));
      expect(wrong.json()['errors']).toHaveLength(1_000);
      expect(codeOf(await world.post('/tags', { idTag: 'A', tokenName: 'x'.repeat(100_000) }))).toBe(
        '413 body_too_large',
      );
    });

    it("leaves other clients' tags alone", async () => {
      await world.call('POST', '/tags', { headers: asOther(), body: { idTag: 'SHARED', tokenName: 'Theirs' } });
      expect((await send([{ idTag: 'shared' }])).json()).toMatchObject({ created: 1 });
      const theirs = await world.call('GET', '/tags/SHARED', { headers: asOther() });
      expect(theirs.json()).toMatchObject({ tokenName: 'Theirs' });
    });
  });
});
