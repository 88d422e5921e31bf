import { channels, type AdmissionAnswer } from '@busbar/contracts';
import { createId } from '@busbar/core';
import type { Charger } from '@busbar/domain/chargers';
import { termsOf, type AuthorizationEndpoint } from '@busbar/domain/real-time-authorization';
import { newAuthorizationEndpoint } from '@busbar/domain/testing';
import { eventually } from '@busbar/testing';
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

const termsShown = async (): Promise<unknown> => {
  const answer = await admission();
  return answer.outcome === 'accept' ? answer.authorization : answer.outcome;
};

function endpointWith(over: Partial<AuthorizationEndpoint>): AuthorizationEndpoint {
  const { clientId } = charger;
  return newAuthorizationEndpoint({ clientId, endpointId: 'rta_1', timeoutS: 4, revision: 7, ...over });
}

it('names the client and the site, and no endpoint where the client has none', async () => {
  const { clientId, registered } = charger;
  const plain = await admission();
  expect(plain).toMatchObject({ outcome: 'accept', clientId, siteId: registered.siteId });
  expect(plain).not.toHaveProperty('authorization');
});

it.each<[string, Partial<AuthorizationEndpoint>, unknown]>([
  ['an endpoint', {}, { revision: 'rta_1/7', timeoutS: 4, onFailure: 'refuse' }],
  [
    'an endpoint for some sites',
    { onFailure: 'accept', siteIds: [3, 4] },
    { revision: 'rta_1/7', timeoutS: 4, onFailure: 'accept', siteIds: [3, 4] },
  ],
  ['a disabled endpoint', { enabled: false }, undefined],
])('names what gateways need of %s', async (_title, over, expected) => {
  const { authorizationEndpoints } = world.platform.records;
  await authorizationEndpoints.delete(charger.clientId);
  await authorizationEndpoints.insert(endpointWith(over));
  // What was read before is cached for a second.
  await eventually(async () => JSON.stringify(await termsShown()) === JSON.stringify(expected));
});

it('names a change that was announced, at once', async () => {
  await admission();
  const terms = termsOf(endpointWith({ revision: 9 }));
  if (terms === undefined) throw new Error('it is enabled');
  world.platform.broker.broadcast(channels.authorisationTerms, { clients: [{ clientId: charger.clientId, terms }] });
  // The store does not have it.
  await eventually(async () => JSON.stringify(await termsShown()) === JSON.stringify(terms));
});
