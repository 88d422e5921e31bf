import { createLeaseTable } from './lease-table';

describe('gateway leases', () => {
  it('lapse after as many ticks as the lease has, without a renewal', () => {
    const leases = createLeaseTable(3);
    leases.renew('g1');
    expect([leases.tick(), leases.tick(), leases.tick()]).toEqual([[], [], ['g1']]);
  });

  it('start anew with every renewal', () => {
    const leases = createLeaseTable(2);
    leases.renew('g1');
    leases.tick();
    expect(leases.renew('g1')).toBe('live');
    expect(leases.tick()).toEqual([]);
    expect(leases.tick()).toEqual(['g1']);
  });

  it('that have lapsed are told again until the store has them as dead', () => {
    const leases = createLeaseTable(1);
    leases.renew('g1');
    expect(leases.tick()).toEqual(['g1']);
    expect(leases.tick()).toEqual(['g1']);
    leases.markDead('g1');
    expect(leases.tick()).toEqual([]);
    expect(leases.renew('g1')).toBe('dead');
    expect(leases.isDead('g1')).toBe(true);
  });

  it('are full again for everyone after an outage', () => {
    const leases = createLeaseTable(2);
    leases.renew('g1');
    leases.tick();
    leases.grantAll();
    expect(leases.tick()).toEqual([]);
  });

  it('begin for a gateway that is only known from the record', () => {
    const leases = createLeaseTable(2);
    leases.notice('g1');
    leases.tick();
    leases.notice('g1');
    expect(leases.tick()).toEqual(['g1']);
  });

  it('say of an id seen for the first time that it is unknown', () => {
    expect(createLeaseTable(2).renew('g1')).toBe('unknown');
  });
});
