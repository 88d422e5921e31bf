import { createResources } from './resources';

describe('resources', () => {
  it('ends them in the reverse order, each once, whatever one of them does', async () => {
    const ended: string[] = [];
    const resources = createResources();
    const end = (name: string): Promise<void> => {
      ended.push(name);
      return name === 'b' ? Promise.reject(new Error('it does not end')) : Promise.resolve();
    };
    resources.hold('a', end);
    resources.hold('b', end);
    const c = resources.hold('c', end);
    await c.release();
    await resources.releaseAll();
    await resources.releaseAll();
    await c.release();
    expect(ended).toEqual(['c', 'b', 'a']);
  });

  it('ends one at once that comes while all are being ended', async () => {
    const ended: string[] = [];
    const resources = createResources();
    await resources.releaseAll();
    resources.hold('late', (name) => Promise.resolve(void ended.push(name)));
    expect(ended).toEqual(['late']);
  });
});
