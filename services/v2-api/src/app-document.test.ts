import { describeDocument } from '@busbar/api/testing';
import { v2Api } from './app';
import { EVENT_NAMES } from './schemas/event';
import { openApp, type TestApp } from './testing/open-app';

/** The charger of the examples is not connected. */
const COMMANDS = [
  ...['startCharging', 'stopTransaction', 'resetCharger', 'unlockSocket', 'changeAvailability', 'triggerMessage'],
  ...['clearCache', 'transferData', 'requestDiagnostics', 'updateFirmware', 'reserveSocket', 'cancelReservation'],
  ...['sendLocalList', 'requestLocalListVersion', 'setChargingProfile', 'clearChargingProfiles'],
  ...['requestCompositeSchedule', 'changeConfiguration', 'sendCall'],
  ...['readVariables', 'changeVariables', 'readTransactionStatus', 'installCertificate', 'deleteCertificate'],
  ...['setNetworkProfile', 'requestReport', 'requestCustomerInformation', 'setDisplayMessage', 'clearDisplayMessage'],
  ...['setMonitors', 'clearMonitors', 'clearMonitor', 'setMonitoring', 'adjustEventStream', 'updateDynamicSchedule'],
];

const OF_WEBHOOK = [
  ...['getWebhook', 'updateWebhook', 'deleteWebhook', 'rotateWebhookSecret', 'testWebhook'],
  ...['listDeliveries', 'listParkedEvents', 'redeliverEvents', 'replayWebhook'],
];

describeDocument({
  definition: v2Api,
  file: 'v2.openapi.json',
  credentialsOf: ({ secret }) => ({ headers: { 'x-api-key': secret } }),
  outcomes: {
    ...Object.fromEntries(COMMANDS.map((operationId) => [operationId, '409 charger_offline'])),
    // No process of push asks the endpoint.
    testRealTimeAuthorization: '503 unavailable',
    // No API gives the permission.
    ...Object.fromEntries(
      ['listDeadLetters', 'replayDeadLetter', 'dropDeadLetter', 'listProcesses'].map((id) => [id, '403 forbidden']),
    ),
    // Their records come from a connected charger, or get a random id.
    ...Object.fromEntries(
      [
        ...['getSession', 'listMeterValues', 'listTransactionEvents', 'endSession', 'readReport', 'updateSessionCost'],
        'usePriorityCharging',
        ...['getCommand', 'getEvent', 'revokeApiKey', 'listEventStreamValues', ...OF_WEBHOOK],
      ].map((id) => [id, '404 not_found']),
    ),
  },
});

describe("the v2 API's document", () => {
  let world: TestApp;
  beforeAll(async () => {
    world = await openApp();
  });
  afterAll(() => world.close());

  it('rejects unknown fields in every object of every body', () => {
    const { paths, components } = world.app.openApi as {
      paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: unknown }> } }>>;
      components: { schemas: Record<string, unknown> };
    };
    const open: unknown[] = [];
    const seen = new Set<unknown>();
    const walk = (part: unknown): void => {
      if (typeof part !== 'object' || part === null || seen.has(part)) return;
      seen.add(part);
      const { $ref, properties, additionalProperties } = part as Record<string, unknown>;
      if (typeof $ref === 'string') walk(components.schemas[$ref.split('/').at(-1) ?? '']);
      if (typeof properties === 'object' && additionalProperties !== false) open.push(part);
      Object.values(part).forEach(walk);
    };
    const bodies = Object.values(paths).flatMap((operations) =>
      Object.values(operations).map((one) => one.requestBody),
    );
    for (const body of bodies) walk(body?.content['application/json']?.schema);
    expect(seen.size).toBeGreaterThan(100);
    expect(open).toEqual([]);
  });

  it('describes the request of each type of event that receivers get', () => {
    const { webhooks } = world.app.openApi as { webhooks: Readonly<Record<string, unknown>> };
    expect(Object.keys(webhooks)).toEqual(EVENT_NAMES);
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
