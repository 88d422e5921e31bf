import { channels, type AdmissionAnswer } from '@busbar/contracts';
import { createId } from '@busbar/core';
import type { Charger } from '@busbar/domain/chargers';
import type { AuthorizationEndpoint } from '@busbar/domain/real-time-authorization';
import { newAuthorizationEndpoint } from '@busbar/domain/testing';
import { eachWithCharger } from '../testing/one-charger';
import type { ChargerStateWorld } from '../testing/open-world';

let world: ChargerStateWorld;
let charger: Charger;

eachWithCharger((its) => ({ world, charger } = its));

async function admission(): Promise<AdmissionAnswer> {
  const { chargerId } = charger;
  const { gatewayId, platform } = world;
  const request = { chargerId, gatewayId, connectionId: createId(), secure: true, ocppVersion: 'ocpp1.6' };
  const asked = await platform.broker.request(channels.admissions, '', request, 5_000);
  if (asked.outcome !== 'answered') throw new Error(asked.outcome);
  return asked.answer;
}

async function endpoint(over: Partial<AuthorizationEndpoint>): Promise<void> {
  const endpoints = world.platform.records.authorizationEndpoints;
  await endpoints.delete(charger.clientId);
  const { clientId } = charger;
  const ours = { clientId, endpointId: 'rta_1', timeoutS: 4, onFailure: 'accept', revision: 7 } as const;
  await endpoints.insert(newAuthorizationEndpoint({ ...ours, ...over }));
}

it('names the client and the site, and no endpoint where the client has none or a disabled one', async () => {
  const { clientId, registered } = charger;
  const plain = await admission();
  expect(plain).toMatchObject({ outcome: 'accept', clientId, siteId: registered.siteId });
  expect(plain).not.toHaveProperty('authorization');
  await endpoint({ enabled: false });
  expect(await admission()).not.toHaveProperty('authorization');
});

it("names what gateways need of the client's endpoint", async () => {
  await endpoint({});
  const authorization = { revision: 'rta_1/7', timeoutS: 4, onFailure: 'accept' };
  expect((await admission()) as object).toHaveProperty('authorization', authorization);
  await endpoint({ siteIds: [3, 4], onFailure: 'refuse' });
  expect((await admission()) as object).toHaveProperty('authorization', {
    ...authorization,
    onFailure: 'refuse',
    siteIds: [3, 4],
  });
});
