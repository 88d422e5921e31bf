// As many chargers as a restart of a gateway brings back at once.
import { inBothOwnWorlds } from './harness/in-both-worlds';
import { connect, registerCharger } from './harness/world';

inBothOwnWorlds((world) => {
  it('18. admits a thousand chargers that connect at once, and answers their first messages', async () => {
    // It is the sockets that come all at once: their registrations do not.
    const ids: { readonly chargerId: string }[] = [];
    while (ids.length < 1000) {
      ids.push(...(await Promise.all(Array.from({ length: 50 }, () => registerCharger(world())))));
    }
    const chargers = await Promise.all(
      ids.map(async ({ chargerId }) => {
        const charger = await connect(world(), chargerId, { handshakeTimeoutMs: 120_000 });
        await charger.heartbeat();
        return charger;
      }),
    );
    expect(chargers).toHaveLength(1000);
    await Promise.all(chargers.map((charger) => charger.close()));
  }, 240_000);
});
