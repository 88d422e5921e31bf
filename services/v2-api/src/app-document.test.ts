import { openApp, type TestApp } from './testing/open-app';

describe("the newer API's document", () => {
  let world: TestApp;
  beforeAll(async () => {
    world = await openApp();
  });
  afterAll(() => world.close());

  it('refuses unknown fields in every object of every body', () => {
    const { schemas } = world.app.openApi['components'] as {
      schemas: Record<string, { type: string; additionalProperties?: unknown }>;
    };
    const open = Object.entries(schemas).filter(([, { additionalProperties }]) => additionalProperties !== false);
    expect(open).toEqual([]);
  });
});
