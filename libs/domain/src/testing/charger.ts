import { neverConnected, type Charger } from '../chargers/charger';
import { CHARGER_DEFAULTS, DEFAULT_COMPATIBILITY } from '../chargers/create-charger';

const AT = '2026-01-01T00:00:00.000Z';

export type ChargerParts = Partial<Omit<Charger, 'registered' | 'connection' | 'reported'>> & {
  readonly registered?: Partial<Charger['registered']>;
  readonly connection?: Partial<Charger['connection']>;
  readonly reported?: Partial<Charger['reported']>;
};

/** A charger before its first connection, without a password, with these parts. */
export function newCharger({ registered, connection, reported, ...part }: ChargerParts = {}): Charger {
  const { chargerId = 'ACME_1' } = part;
  const fresh = neverConnected();
  return {
    chargerId,
    clientId: 'client',
    incarnationId: `${chargerId}-1`,
    ...fresh,
    ...part,
    registered: {
      ...CHARGER_DEFAULTS,
      name: chargerId,
      siteId: 1,
      compatibility: DEFAULT_COMPATIBILITY,
      authentication: { securityProfile: 0, passwordHash: null },
      createdAt: AT,
      updatedAt: AT,
      ...registered,
    },
    connection: { ...fresh.connection, ...connection },
    reported: { ...fresh.reported, ...reported },
  };
}
