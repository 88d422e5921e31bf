import { channels, COMMAND_VERSION, type CommandRequest } from '@busbar/contracts';
import { openWorld } from '../testing/open-world';

it('rejects a command of a newer version without a CALL, and executes others', async () => {
  const world = await openWorld();
  const charger = await world.connect();
  const { gatewayId, chargerId, incarnationId } = await world.waitFor(({ kind }) => kind === 'connected');
  const command = { commandId: 'c', chargerId, incarnationId, action: 'Reset', payload: { type: 'Soft' } };
  const request: CommandRequest = { v: COMMAND_VERSION + 1, ...command, timeoutMs: 5_000 };

  const asked = await world.broker.request(channels.commands, gatewayId, request, 10_000);

  expect(asked).toEqual({ outcome: 'unsupported_version' });
  charger.answer('ClearCache', () => ({ status: 'Accepted' }));
  expect(await world.command(chargerId, 'ClearCache')).toEqual({
    outcome: 'answered',
    payload: { status: 'Accepted' },
  });
  expect(charger.received.map(({ action }) => action)).not.toContain('Reset');
  expect(world.logger.lines.filter(({ level }) => level === 'warn')).toMatchObject([{ fields: { version: 2 } }]);
  await world.close();
});

it('masks secrets that a CALLERROR quotes from a CALL of ours', async () => {
  const world = await openWorld();
  const charger = await world.connect();
  const { chargerId } = await world.waitFor(({ kind }) => kind === 'connected');
  const description = 'cannot set AuthorizationKey=00112233445566778899aabbccddeeff';
  charger.answer('ClearCache', () => ({ kind: 'error', code: 'InternalError', description }));
  expect(await world.command(chargerId, 'ClearCache')).toEqual({
    outcome: 'error',
    code: 'InternalError',
    description: 'cannot set AuthorizationKey=***',
  });
  await world.close();
});

it('sends no CALL of another version of OCPP: the sender reads again which one the charger speaks', async () => {
  const world = await openWorld();
  const charger = await world.connect({ subprotocols: ['ocpp2.1'] });
  const { chargerId } = await world.waitFor(({ kind }) => kind === 'connected');
  expect(await world.command(chargerId, 'GetConfiguration')).toEqual({ outcome: 'not_here' });
  expect(await world.command(chargerId, 'ClearCache')).toMatchObject({ outcome: 'answered' });
  expect(charger.received.map(({ action }) => action)).toEqual(['ClearCache']);
  await world.close();
});
