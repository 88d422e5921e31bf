// All ports of the APIs and admin, as a process creates them. Each service takes the narrowest part.
import type { ApiKeyReader, ApiKeyWriter } from './clients/api-key';
import type { ChargerCertificates } from './chargers/credentials/charger-certificate';
import type { ChargerReader, ChargerWriter } from './chargers/charger';
import type { ChargerLister, ChargerOwners, ChargerRegistrar } from './chargers/charger-listing';
import type { ClientReader, ClientWriter } from './clients/client';
import type { CommandReader, CommandWriter } from './commands/command-record';
import type { ConsoleSessions, SignInCodes } from './console/console-session';
import type { ConnectionReader } from './chargers/connections/connection-record';
import type { ConnectionAttemptReader, ConnectionAttemptWriter } from './chargers/connections/connection-attempt';
import type { FeedReader } from './feed/feed-store';
import type { GatewayCounter, GatewayReader } from './chargers/connections/gateway-record';
import type { HistoryReader } from './history/history';
import type { DeviceModelReader } from './device-model/device-model';
import type { DeviceReportReader } from './device-model/device-report';
import type { DeviceStateReader } from './device-state/device-state';
import type { EventStreamsReader } from './device-state/event-streams';
import type {
  AuthorizationEndpointReader,
  AuthorizationEndpointStatuses,
  AuthorizationEndpointWriter,
} from './real-time-authorization/authorization-endpoint';
import type { SessionWriter } from './sessions/session';
import type { SessionReader } from './sessions/session-reader';
import type { SiteReader, SiteWriter } from './sites/site';
import type { StatisticsReader } from './history/statistics';
import type { TagReader, TagWriter } from './tags/tag';
import type {
  DeadDeliveries,
  DeliveryLog,
  WebhookReader,
  WebhookStandings,
  WebhookWriter,
} from './webhooks/webhook-stores';
import type { DeletedPushedChargers } from './webhooks/formats/pushed-charger';

export interface Records {
  readonly clients: ClientReader & ClientWriter;
  readonly apiKeys: ApiKeyReader & ApiKeyWriter;
  readonly consoleSessions: ConsoleSessions;
  readonly signInCodes: SignInCodes;
  readonly sites: SiteReader & SiteWriter;
  readonly chargers: ChargerReader & ChargerWriter & ChargerLister & ChargerRegistrar & ChargerOwners;
  readonly sessions: SessionReader & SessionWriter;
  readonly tags: TagReader & TagWriter;
  readonly commands: CommandReader & CommandWriter;
  readonly connectionAttempts: ConnectionAttemptReader & ConnectionAttemptWriter;
  readonly connectionHistory: ConnectionReader;
  readonly certificates: ChargerCertificates;
  readonly gateways: GatewayReader & GatewayCounter;
  readonly history: HistoryReader;
  readonly deviceStates: DeviceStateReader;
  readonly deviceModels: DeviceModelReader;
  readonly eventStreams: EventStreamsReader;
  readonly deviceReports: DeviceReportReader;
  readonly statistics: StatisticsReader;
  readonly feed: FeedReader;
  readonly webhooks: WebhookReader & WebhookWriter;
  readonly webhookStandings: WebhookStandings;
  readonly deliveryLog: DeliveryLog;
  readonly deadDeliveries: DeadDeliveries;
  readonly deletedPushedChargers: DeletedPushedChargers;
  readonly authorizationEndpoints: AuthorizationEndpointReader &
    AuthorizationEndpointWriter &
    AuthorizationEndpointStatuses;
}
