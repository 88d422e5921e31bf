// The readers and writers that a process hands to its services; each service takes the narrowest part.
import type { ApiKeyReader, ApiKeyWriter } from './api-key';
import type { ChargerCertificates } from './charger-certificate';
import type { ChargerReader, ChargerWriter } from './charger';
import type { ChargerLister, ChargerOwners, ChargerRegistrar } from './charger-listing';
import type { ClientReader, ClientWriter } from './client';
import type { CommandReader, CommandWriter } from './command-record';
import type { ConnectionAttemptReader, ConnectionAttemptWriter } from './connection-attempt';
import type { GatewayReader } from './gateway-record';
import type { HistoryReader } from './history';
import type { DeviceStateReader } from './holdings/charger-holdings';
import type { IdempotencyRecords } from './kept-answer';
import type { SessionWriter } from './session';
import type { SessionReader } from './session-reader';
import type { SiteReader, SiteWriter } from './site';
import type { StatisticsReader } from './statistics';
import type { TagReader, TagWriter } from './tag';

export interface Records {
  readonly clients: ClientReader & ClientWriter;
  readonly apiKeys: ApiKeyReader & ApiKeyWriter;
  readonly sites: SiteReader & SiteWriter;
  readonly chargers: ChargerReader & ChargerWriter & ChargerLister & ChargerRegistrar & ChargerOwners;
  readonly sessions: SessionReader & SessionWriter;
  readonly tags: TagReader & TagWriter;
  readonly commands: CommandReader & CommandWriter;
  readonly connectionAttempts: ConnectionAttemptReader & ConnectionAttemptWriter;
  readonly certificates: ChargerCertificates;
  readonly gateways: GatewayReader;
  readonly history: HistoryReader;
  readonly deviceStates: DeviceStateReader;
  readonly statistics: StatisticsReader;
  readonly answers: IdempotencyRecords;
}
