// What a charger can be asked, in the service's own words, and what it answers in them. Each version's table says how.

/** As OCPP 1.6 clause 7.8 has it: the words of integrators too. */
export interface ChargingProfile {
  readonly chargingProfileId: number;
  readonly transactionId?: number;
  readonly stackLevel: number;
  readonly chargingProfilePurpose: 'ChargePointMaxProfile' | 'TxDefaultProfile' | 'TxProfile';
  readonly chargingProfileKind: 'Absolute' | 'Recurring' | 'Relative';
  readonly recurrencyKind?: 'Daily' | 'Weekly';
  readonly validFrom?: string;
  readonly validTo?: string;
  readonly chargingSchedule: ChargingSchedule;
}

export interface ChargingSchedule {
  /** Seconds. */
  readonly duration?: number;
  readonly startSchedule?: string;
  readonly chargingRateUnit: 'A' | 'W';
  readonly chargingSchedulePeriod: readonly {
    readonly startPeriod: number;
    readonly limit: number;
    readonly numberPhases?: number;
  }[];
  readonly minChargingRate?: number;
}

export interface LocalListTag {
  readonly rfidTag: string;
  /** Absent in a differential update: the tag is taken off the list. A list's own verdicts are the caller's to find. */
  readonly status?: 'Accepted' | 'Blocked' | 'Expired' | 'Invalid';
  readonly expiringDate?: string;
  readonly parentRfidTag?: string;
  /** The parent by the tag's own record, where the caller names none. Left out where the version cannot carry it. */
  readonly inheritedParentRfidTag?: string;
}

/** Where a charger loads something up to or down from, and how often it tries. */
interface Transfer {
  readonly location: string;
  readonly retries?: number;
  readonly retryIntervalS?: number;
  /** What the charger names it by in its notifications, in versions and actions that have it. */
  readonly requestId: number;
}

export interface Status {
  /** The charger's own word. */
  readonly status: string;
}

interface Operation<Input, Answer> {
  readonly input: Input;
  readonly answer: Answer;
}

export interface Operations {
  readonly startCharging: Operation<
    { readonly socketId?: number; readonly rfidTag: string; readonly chargingProfile?: ChargingProfile },
    Status
  >;
  readonly stopTransaction: Operation<{ readonly transactionId: number }, Status>;
  readonly reset: Operation<{ readonly type: 'Soft' | 'Hard' }, Status>;
  readonly unlock: Operation<{ readonly socketId: number }, Status>;
  /** Without a socket, the whole charger. */
  readonly changeAvailability: Operation<
    { readonly socketId?: number; readonly type: 'Operative' | 'Inoperative' },
    Status
  >;
  readonly triggerMessage: Operation<{ readonly message: TriggeredMessage; readonly socketId?: number }, Status>;
  readonly clearCache: Operation<object, Status>;
  readonly getDiagnostics: Operation<
    Transfer & {
      readonly startTime?: string;
      readonly stopTime?: string;
      /** Asks for a log by the security extension instead of the diagnostics. */
      readonly logType?: 'DiagnosticsLog' | 'SecurityLog';
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
    { readonly vendorId: string; readonly messageId?: string; readonly data?: string },
    { readonly status: string; readonly data: string | null }
  >;
  readonly reserve: Operation<
    {
      readonly reservationId: number;
      /** Absent: any socket. */
      readonly socketId?: number;
      readonly rfidTag: string;
      readonly parentRfidTag?: string;
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
  readonly changeConfiguration: Operation<{ readonly configName: string; readonly configValue: string }, Status>;
}

export const TRIGGERED_MESSAGES = [
  'BootNotification',
  'DiagnosticsStatusNotification',
  'FirmwareStatusNotification',
  'Heartbeat',
  'LogStatusNotification',
  'MeterValues',
  'SignChargePointCertificate',
  'StatusNotification',
] as const;

export type TriggeredMessage = (typeof TRIGGERED_MESSAGES)[number];

export type OperationName = keyof Operations;

type Payload = Readonly<Record<string, unknown>>;

/** One operation in one version: the CALL for it, and its CALLRESULT in our words. */
export interface VersionCall<Answer> {
  readonly action: string;
  readonly payload: Payload;
  readonly read: (answer: Payload) => Answer;
}

/** What is wrong with an input for a version, though each of its values fits the schema: at the input's own paths. */
export interface InputIssue {
  readonly path: string;
  readonly message: string;
}

/** An operation in a version's words. */
export interface EncodedOperation<Answer> extends VersionCall<Answer> {
  readonly issues?: readonly InputIssue[];
}

/** What a version can do of all operations; it lacks those that it leaves out. */
export type OperationTable = {
  readonly [Name in OperationName]?: (input: Operations[Name]['input']) => EncodedOperation<Operations[Name]['answer']>;
};
