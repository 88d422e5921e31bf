import { createLeaseTable } from './lease-table';

describe('the lease of a gateway', () => {
  it('expires after the ticks of a lease, without a renewal', () => {
    const leases = createLeaseTable(3);
    leases.renew('g1');
    expect([leases.tick(), leases.tick(), leases.tick()]).toEqual([[], [], ['g1']]);
  });

  it('starts anew with every renewal', () => {
    const leases = createLeaseTable(2);
    leases.renew('g1');
    leases.tick();
    expect(leases.renew('g1')).toBe('live');
    expect(leases.tick()).toEqual([]);
    expect(leases.tick()).toEqual(['g1']);
  });

  it('is returned as expired until the store has its gateway as dead', () => {
    const leases = createLeaseTable(1);
    leases.renew('g1');
    expect(leases.tick()).toEqual(['g1']);
    expect(leases.tick()).toEqual(['g1']);
    leases.markDead('g1');
    expect(leases.tick()).toEqual([]);
    expect(leases.renew('g1')).toBe('dead');
    expect(leases.isDead('g1')).toBe(true);
  });

  it('is full for every gateway after an outage', () => {
    const leases = createLeaseTable(2);
    leases.renew('g1');
    leases.tick();
    leases.grantAll();
    expect(leases.tick()).toEqual([]);
  });

  it('begins for a gateway that is only known from the record', () => {
    const leases = createLeaseTable(2);
    leases.notice('g1');
    leases.tick();
    leases.notice('g1');
    expect(leases.tick()).toEqual(['g1']);
  });

  it('reports an id seen for the first time as unknown', () => {
    expect(createLeaseTable(2).renew('g1')).toBe('unknown');
  });
});
