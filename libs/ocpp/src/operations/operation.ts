// Busbar's operations on a charger: the input and the answer of each. Each version's table encodes them as its CALLs.

import type { CertificateHashData, CertificateType, InstallableCertificate, ListedCertificate } from './certificate';
import type { ChargingProfile } from './charging-profile';
import type { DisplayOperations } from './display-message';
import type { EventStreamOperations } from './event-stream';
import type { MonitoringOperations } from './monitoring';
import type { NamedComponent, NamedVariable } from './named-variable';
import type { NetworkProfile } from './network-profile';
import type { SmartChargingOperations } from './smart-charging';
import type { TriggeredMessage } from './triggered-message';
import type { OcppVersion } from '../version';

export interface LocalListTag {
  readonly rfidTag: string;
  /** Absent in a differential update: removes the tag from the list. */
  readonly status?: 'Accepted' | 'Blocked' | 'Expired' | 'Invalid';
  readonly expiringDate?: string;
  readonly parentRfidTag?: string;
  /** The type of token in the tag's own record. */
  readonly type?: string;
  /** The parent in the tag's own record, where the caller names none: see `carriedParent`. */
  readonly inheritedParentRfidTag?: string;
}

/** The address of an upload or download, and its retries. */
interface Transfer {
  readonly location: string;
  readonly retries?: number;
  readonly retryIntervalS?: number;
  /** Identifies it in the charger's notifications, where the action has it. */
  readonly requestId: number;
}

export interface Status {
  /** As the charger sent it. */
  readonly status: string;
}

interface Operation<Input, Answer> {
  readonly input: Input;
  readonly answer: Answer;
}

export interface Operations
  extends DisplayOperations, EventStreamOperations, MonitoringOperations, SmartChargingOperations {
  readonly startCharging: Operation<
    { readonly socketId?: number; readonly rfidTag: string; readonly chargingProfile?: ChargingProfile },
    Status
  >;
  readonly stopTransaction: Operation<{ readonly transactionId: number }, Status>;
  readonly reset: Operation<
    {
      /** ImmediateAndResume: OCPP 2.1. */
      readonly type: 'Soft' | 'Hard' | 'ImmediateAndResume';
      /** The EVSE of the socket alone; OCPP 2.x. */
      readonly socketId?: number;
    },
    Status
  >;
  readonly unlock: Operation<{ readonly socketId: number }, Status>;
  /** Without a socket, the whole charger. */
  readonly changeAvailability: Operation<
    {
      readonly socketId?: number;
      /** A whole EVSE; OCPP 2.x. */
      readonly evseId?: number;
      readonly type: 'Operative' | 'Inoperative';
    },
    Status
  >;
  readonly triggerMessage: Operation<
    {
      readonly message: TriggeredMessage;
      readonly socketId?: number;
      /** What CustomTrigger triggers; OCPP 2.1. */
      readonly customTrigger?: string;
    },
    Status
  >;
  readonly clearCache: Operation<object, Status>;
  readonly getDiagnostics: Operation<
    Transfer & {
      readonly startTime?: string;
      readonly stopTime?: string;
      /** Requests a log of the security extension instead of the diagnostics. */
      readonly logType?: 'DiagnosticsLog' | 'SecurityLog' | 'DataCollectorLog';
    },
    { readonly status: string | null; readonly fileName: string | null; readonly requestId: number | null }
  >;
  readonly updateFirmware: Operation<
    Transfer & {
      readonly retrieveAt: string;
      readonly installAt?: string;
      /** Both: a signed update by the security extension. */
      readonly signingCertificate?: string;
      readonly signature?: string;
    },
    { readonly status: string | null; readonly requestId: number | null }
  >;
  readonly transferData: Operation<
    {
      readonly vendorId: string;
      readonly messageId?: string;
      /** Any JSON; OCPP 1.6: a text. */
      readonly data?: unknown;
    },
    { readonly status: string; readonly data: string | null }
  >;
  readonly reserve: Operation<
    {
      readonly reservationId: number;
      /** Absent: any socket. */
      readonly socketId?: number;
      readonly rfidTag: string;
      readonly parentRfidTag?: string;
      /** A type of connector, instead of a socket; OCPP 2.x. */
      readonly connectorType?: string;
      readonly expiresAt: string;
    },
    Status
  >;
  readonly cancelReservation: Operation<{ readonly reservationId: number }, Status>;
  readonly sendLocalList: Operation<
    {
      readonly listVersion: number;
      readonly updateType: 'Full' | 'Differential';
      readonly tags: readonly LocalListTag[];
    },
    Status
  >;
  readonly getLocalListVersion: Operation<object, { readonly listVersion: number }>;
  readonly setChargingProfile: Operation<
    { readonly socketId?: number; readonly chargingProfile: ChargingProfile },
    Status
  >;
  readonly clearChargingProfile: Operation<
    {
      readonly chargingProfileId?: number;
      readonly socketId?: number;
      readonly chargingProfilePurpose?: ChargingProfile['chargingProfilePurpose'];
      readonly stackLevel?: number;
    },
    Status
  >;
  readonly getCompositeSchedule: Operation<
    { readonly socketId?: number; readonly durationS: number; readonly chargingRateUnit?: 'A' | 'W' },
    {
      readonly status: string;
      readonly socketId: number | null;
      readonly scheduleStart: string | null;
      readonly chargingSchedule: Readonly<Record<string, unknown>> | null;
    }
  >;
  readonly getConfiguration: Operation<
    { readonly configNames?: readonly string[] },
    {
      readonly configuration: readonly {
        readonly configName: string;
        readonly configValue: string;
        readonly canBeChanged: boolean;
      }[];
      readonly unknownConfigNames: readonly string[];
    }
  >;
  /** OCPP 2.x. The charger sends the report in parts. */
  readonly requestReport: Operation<
    {
      readonly requestId: number;
      readonly kind: 'configuration' | 'full' | 'summary' | 'custom' | 'monitoring';
      /** Of custom and monitoring. */
      readonly variables?: readonly NamedComponent[];
      /** Of custom and monitoring, each with its own words. */
      readonly criteria?: readonly string[];
    },
    Status
  >;
  /** OCPP 2.x: what the charger has stored about a customer, whom one of the three names. */
  readonly customerInformation: Operation<
    {
      readonly requestId: number;
      readonly report: boolean;
      readonly clear: boolean;
      readonly rfidTag?: string;
      readonly customerIdentifier?: string;
      readonly certificate?: CertificateHashData;
    },
    Status
  >;
  /** OCPP 2.x. */
  readonly getVariables: Operation<
    { readonly variables: readonly NamedVariable[] },
    {
      readonly variables: readonly {
        readonly name: string;
        readonly attributeType: string;
        /** Null: the charger gave none. */
        readonly value: string | null;
        readonly status: string;
      }[];
    }
  >;
  /** OCPP 2.x. */
  readonly setVariables: Operation<
    { readonly variables: readonly (NamedVariable & { readonly value: string })[] },
    {
      readonly variables: readonly {
        readonly name: string;
        readonly attributeType: string;
        readonly status: string;
        readonly statusInfo: { readonly reasonCode: string; readonly additionalInfo: string | null } | null;
      }[];
    }
  >;
  /** OCPP 2.x. Without a transaction: whether the charger has messages of any to send. */
  readonly getTransactionStatus: Operation<
    { readonly transactionId?: number },
    { readonly ongoing: boolean | null; readonly messagesInQueue: boolean }
  >;
  /** OCPP 2.x: the charger shows the cost of a session to the driver. Its response has no status. */
  readonly updateCost: Operation<{ readonly transactionId: number; readonly totalCost: number }, Status>;
  readonly installCertificate: Operation<
    { readonly type: InstallableCertificate; readonly certificate: string },
    Status
  >;
  /** One that the charger has listed. */
  readonly deleteCertificate: Operation<{ readonly certificateId: string }, Status>;
  /** Without a type: all, but in OCPP 1.6, where a list is of one type. */
  readonly listCertificates: Operation<
    { readonly type?: readonly CertificateType[] },
    Status & { readonly certificates: readonly ListedCertificate[] }
  >;
  /** OCPP 2.x. */
  readonly setNetworkProfile: Operation<NetworkProfile & { readonly slot: number }, Status>;
  readonly changeConfiguration: Operation<{ readonly configName: string; readonly configValue: string }, Status>;
}

export type OperationName = keyof Operations;

type Payload = Readonly<Record<string, unknown>>;

/** An operation in one version: its CALL, and how to read the CALLRESULT. */
export interface VersionCall<Answer> {
  readonly action: string;
  readonly payload: Payload;
  readonly read: (answer: Payload) => Answer;
}

/** A defect of an input for a version, at a path of the input. */
export interface InputIssue {
  readonly path: string;
  readonly message: string;
}

/** An operation encoded for a version. `issues`: defects that the schema does not find. */
export interface EncodedOperation<Answer> extends VersionCall<Answer> {
  readonly issues?: readonly InputIssue[];
}

/** What the caller's store knows of an operation's input, beside the input. */
export interface StoredFacts {
  /** The charger's own id of the transaction. Undefined: it began in OCPP 1.6. */
  readonly deviceTransactionId?: string | undefined;
  /** Of the tag that the input names. */
  readonly tag?: { readonly type: string | null; readonly parentIdTag: string | null } | undefined;
  /** Of the certificate that the input names. */
  readonly certificateHashData?: CertificateHashData | undefined;
}

/** The operations that a version supports. Undefined: it does not support this input. */
export type OperationTable = {
  readonly [Name in OperationName]?: (
    input: Operations[Name]['input'],
    stored: StoredFacts,
    version: OcppVersion,
  ) => EncodedOperation<Operations[Name]['answer']> | undefined;
};
