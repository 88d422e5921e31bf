import { createChangesWhileReading } from './changes-while-reading';

interface Row {
  readonly id: string;
  readonly state: string;
}

const PAGE = { total: 2, items: [row('A', 'old'), row('B', 'old')] };

function row(id: string, state: string): Row {
  return { id, state };
}

function opened() {
  const changes = createChangesWhileReading<Row>(({ id }) => id);
  let resolve: (page: typeof PAGE) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const page = changes.page(
    () =>
      new Promise<typeof PAGE>((...both) => {
        [resolve, reject] = both;
      }),
  );
  return { ...changes, page, resolve, reject };
}

const to = (state: string) => (before: Row) => ({ ...before, state });

it('applies the changes that came while a page was read, in their order', async () => {
  const { changed, page, resolve } = opened();
  changed('A', to('first'));
  changed('A', to('last'));
  changed('C', to('of another page'));
  resolve(PAGE);
  expect(await page).toEqual({ total: 2, items: [row('A', 'last'), row('B', 'old')] });
});

it('applies no change from before, and none of a reading that failed', async () => {
  const { changed, one, page: failing, reject } = opened();
  changed('A', to('before'));
  reject(new Error('gone'));
  await expect(failing).rejects.toThrow('gone');
  expect(await one(() => Promise.resolve(row('A', 'read')))).toEqual(row('A', 'read'));
});

it('forgets the first of very many', async () => {
  const { changed, page, resolve } = opened();
  changed('B', to('forgotten'));
  for (let count = 0; count < 1_000; count++) changed('A', to('last'));
  resolve(PAGE);
  expect((await page).items).toEqual([row('A', 'last'), row('B', 'old')]);
});
