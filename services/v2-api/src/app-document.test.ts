import { openApp, type TestApp } from './testing/open-app';

describe("the v2 API's document", () => {
  let world: TestApp;
  beforeAll(async () => {
    world = await openApp();
  });
  afterAll(() => world.close());

  it('rejects unknown fields in every object of every body', () => {
    const { schemas } = world.app.openApi['components'] as {
      schemas: Record<string, { type: string; additionalProperties?: unknown }>;
    };
    const open = Object.entries(schemas).filter(([, { additionalProperties }]) => additionalProperties !== false);
    expect(open).toEqual([]);
  });

  it('describes the state of a session whose charger is deleted', () => {
    const { components, paths } = world.app.openApi as {
      components: { schemas: { Session: { properties: { state: { description: string } } } } };
      paths: Record<string, { delete: { description: string } }>;
    };
    expect(components.schemas.Session.properties.state.description).toMatch(/superseded.*same socket.*deleted/);
    expect(paths['/v2/chargers/{chargerId}']?.delete.description).toMatch(/in progress becomes `superseded`/);
  });
});
