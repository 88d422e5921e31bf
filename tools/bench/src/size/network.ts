// One client's network of any size as records, each made from its number alone: what is stored is what the questions know.
import { firstIdAt, type Clock } from '@busbar/core';
import { toTimestamp } from '@busbar/domain';
import {
  DEFAULT_COMPATIBILITY,
  CHARGER_DEFAULTS,
  neverConnected,
  socketTally,
  type Charger,
} from '@busbar/domain/chargers';
import { type LogRow, type StateChange } from '@busbar/domain/history';
import { type MeterValueRow, type Session } from '@busbar/domain/sessions';
import { SITE_DEFAULTS, type Site } from '@busbar/domain/sites';
import { type Tag } from '@busbar/domain/tags';
import type { Scale } from './scale';

const DAY_MS = 86_400_000;
/** Logs lie this far back, sessions three times as far. */
export const LOG_DAYS = 28;
const MAKERS = ['Acme', 'Voltwerk', 'Ladestern', 'Eneco', 'Borne'];
const STATES = ['Available', 'Preparing', 'Charging', 'Finishing', 'Error'] as const;
/** Tags that the sessions are of. */
export const TAGS = 5_000;
const COUNTRIES = ['NL', 'DE', 'FR', 'SE'];

export interface Network {
  site(n: number): Site;
  charger(n: number): Charger;
  session(n: number): Session;
  logRow(n: number): LogRow;
  stateChange(n: number): StateChange;
  tag(n: number): Tag;
  /** Of the session of the curve. */
  meterValue(n: number): MeterValueRow;
}

/** The session that ended last. */
export function curveSessionOf(scale: Scale): number {
  return Math.max(1, Math.floor(scale.sessions - scale.chargers / 20));
}

export function chargerIdOf(n: number): string {
  return `SIZE_${String(n).padStart(6, '0')}`;
}

/** The network of that client as it would be at the clock's time. */
export function createNetwork(clientId: string, scale: Scale, clock: Clock): Network {
  const nowMs = clock.now().getTime();
  const at = (msAgo: number): string => toTimestamp(new Date(nowMs - Math.round(msAgo)));
  const back = (n: number, count: number, days: number): number => ((count - n) / count) * days * DAY_MS;
  const chargerOf = (n: number): number => (n * 7_919) % scale.chargers;
  const siteOf = (n: number): number => (chargerOf(n) % scale.sites) + 1;
  const common = (n: number) => ({
    chargerId: chargerIdOf(chargerOf(n)),
    incarnationId: `inc-${String(chargerOf(n))}`,
  });
  const rowId = (n: number, msAgo: number): string =>
    firstIdAt(nowMs - Math.round(msAgo)).slice(0, 10) + n.toString(32).toUpperCase().padStart(16, '0');

  return {
    site: (n) => ({
      ...SITE_DEFAULTS,
      siteId: n,
      clientId,
      name: `Site ${String(n)}`,
      // Ten at the top, the others below them.
      parentSiteId: n <= 10 ? null : ((n - 1) % 10) + 1,
      city: `City ${String(n % 50)}`,
      country: COUNTRIES[n % COUNTRIES.length] ?? null,
      createdAt: at(100 * DAY_MS),
      updatedAt: at(100 * DAY_MS),
    }),
    charger: (n) => chargerRecord(n, { clientId, siteId: (n % scale.sites) + 1, at }),
    session: (n) => {
      const startMs = back(n, scale.sessions, 3 * LOG_DAYS);
      // The last few of them are in progress.
      const isOngoing = n > curveSessionOf(scale);
      return {
        ...common(n),
        sessionId: `size-${String(n)}`,
        transactionId: n,
        clientId,
        siteId: siteOf(n),
        socketId: 1,
        idTag: `TAG${String(n % TAGS)}`,
        idTagKey: `tag${String(n % TAGS)}`,
        startTime: at(startMs),
        recordedAt: at(startMs),
        meterStart: 1_000,
        startedOffline: false,
        state: isOngoing ? 'ongoing' : 'ended',
        endTime: isOngoing ? null : at(Math.max(0, startMs - 3_600_000)),
        meterStop: isOngoing ? null : 11_000,
        consumptionWh: isOngoing ? null : 10_000,
        stopReason: isOngoing ? null : 'Local',
        startedBy: 'local',
      };
    },
    logRow: (n) => {
      const msAgo = back(n, scale.logRows, LOG_DAYS);
      return logRecord(n, { ...common(n), rowId: rowId(n, msAgo), at: at(msAgo) });
    },
    stateChange: (n) => {
      const timestamp = at(back(n, scale.stateChanges, LOG_DAYS));
      return {
        ...common(n),
        rowId: `state-${String(n)}`,
        clientId,
        siteId: siteOf(n),
        socketId: 1,
        state: STATES[n % STATES.length] ?? 'Available',
        errorCode: '',
        at: timestamp,
        receivedAt: timestamp,
      };
    },
    meterValue: (n) => {
      const session = curveSessionOf(scale);
      // Within the hour that it lasted.
      const timestamp = at(back(session, scale.sessions, 3 * LOG_DAYS) - n * 300);
      const sample = (measurand: string, unit: string, value: number) => ({ measurand, unit, value: String(value) });
      const sampledValue = [
        sample('Power.Active.Import', 'W', 7_000 + (n % 500)),
        sample('Energy.Active.Import.Register', 'Wh', 1_000 + n),
      ];
      return {
        ...common(session),
        rowId: rowId(n, back(session, scale.sessions, 3 * LOG_DAYS) - n * 300),
        clientId,
        socketId: 1,
        sessionId: `size-${String(session)}`,
        receivedAt: timestamp,
        payload: { connectorId: 1, transactionId: session, meterValue: [{ timestamp, sampledValue }] },
      };
    },
    tag: (n) => ({
      clientId,
      idTag: `TAG${String(n)}`,
      idTagKey: `tag${String(n)}`,
      tokenName: `Driver ${String(n)}`,
      type: null,
      parentIdTag: null,
      blocked: false,
      startDate: null,
      expiringDate: null,
      externalId: `ext-${String(n)}`,
      updatedAt: at(90 * DAY_MS - n),
    }),
  };
}

interface Place {
  readonly clientId: string;
  readonly siteId: number;
  readonly at: (msAgo: number) => string;
}

function chargerRecord(n: number, { clientId, siteId, at }: Place): Charger {
  const fresh = neverConnected();
  const position = [1, 2] as const;
  const state = STATES[n % STATES.length] ?? 'Available';
  const isConnected = n % 10 !== 0;
  const registered = {
    ...CHARGER_DEFAULTS,
    name: `Charger ${String(n)}`,
    siteId,
    compatibility: DEFAULT_COMPATIBILITY,
    authentication: { securityProfile: 0, passwordHash: null },
    createdAt: at(90 * DAY_MS - n),
    updatedAt: at(90 * DAY_MS - n),
    version: 1,
  } as const;
  const sockets = { 1: { state, errorCode: '', info: '', vendorErrorCode: '', at: at(3_600_000), position } };
  return {
    ...fresh,
    chargerId: chargerIdOf(n),
    clientId,
    incarnationId: `inc-${String(n)}`,
    registered,
    // Not active: nothing holds these sockets, and the first start would find every one of them to be a ghost.
    connection: { ...fresh.connection, ocppVersion: isConnected ? 'ocpp1.6' : null, position },
    reported: {
      ...fresh.reported,
      // As charger-state writes it: without it statistics read every charger.
      tally: socketTally({ registered, reported: { ...fresh.reported, sockets } }),
      lastSeen: at(60_000),
      lastMessage: `[2,"${String(n)}","Heartbeat",{}]`,
      lastPosition: position,
      ownState: state,
      boot: {
        manufacturer: MAKERS[n % MAKERS.length] ?? '',
        model: `M${String(n % 7)}`,
        serial: `S${String(n)}`,
        firmware: '1.2.3',
        iccid: '',
        imsi: '',
        meterType: '',
        meterSerialNumber: '',
        at: at(DAY_MS),
        position,
      },
      sockets,
    },
  };
}

/** Half of a log is heartbeats. */
function logRecord(n: number, row: Pick<LogRow, 'rowId' | 'chargerId' | 'incarnationId' | 'at'>): LogRow {
  const messageId = String(n);
  const isHeartbeat = n % 2 === 0;
  const action = isHeartbeat ? 'Heartbeat' : 'StatusNotification';
  const payload = isHeartbeat
    ? '{}'
    : `{"connectorId":1,"status":"Available","errorCode":"NoError","timestamp":"${row.at}"}`;
  return {
    ...row,
    ocppVersion: 'ocpp1.6',
    action,
    messageId,
    source: 'charger',
    tookMs: 2,
    request: `[2,"${messageId}","${action}",${payload}]`,
    response: `[3,"${messageId}",{}]`,
  };
}
