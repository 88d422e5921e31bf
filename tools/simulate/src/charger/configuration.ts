// The configuration keys of a simulated charger, OCPP 1.6 chapter 9 and two of its own.
import type { V16Responses } from '@busbar/ocpp';

export type Configuration = Map<string, string>;

interface Key {
  readonly initial: string;
  readonly isReadonly?: true;
  /** Its value is never read back, as the security whitepaper demands for AuthorizationKey. */
  readonly isSecret?: true;
  /** Takes effect with the next connection after a reset. */
  readonly needsReboot?: true;
  readonly accepts?: (value: string) => boolean;
}

/** The vehicle's own maximum in W: what a session draws where no profile limits it. */
export const VEHICLE_POWER_KEY = 'SimulatedVehiclePowerW';
/** 24 h in s. */
const MAX_INTERVAL = 86_400;
const MAX_TEXT = 500;
const MEASURANDS = ['Energy.Active.Import.Register', 'Power.Active.Import', 'Current.Import', 'Voltage'];

const KEYS: Readonly<Record<string, Key>> = {
  AllowOfflineTxForUnknownId: flag(false),
  AuthorizationCacheEnabled: flag(true),
  AuthorizationKey: { initial: '', isSecret: true, accepts: (value) => value.length >= 8 && value.length <= 40 },
  AuthorizeRemoteTxRequests: flag(true),
  ChargeProfileMaxStackLevel: fixed('8'),
  ChargingScheduleAllowedChargingRateUnit: fixed('Current,Power'),
  ChargingScheduleMaxPeriods: fixed('24'),
  ClockAlignedDataInterval: fixed('0'),
  ConnectorPhaseRotation: fixed('0.RST'),
  ConnectorSwitch3to1PhaseSupported: fixed('false'),
  CpoName: { initial: 'Busbar', accepts: (value) => value.length <= MAX_TEXT },
  GetConfigurationMaxKeys: fixed('100'),
  HeartbeatInterval: seconds(300, 1),
  LocalAuthListEnabled: flag(true),
  LocalAuthListMaxLength: fixed('1000'),
  LocalAuthorizeOffline: flag(true),
  LocalPreAuthorize: flag(false),
  MaxChargingProfilesInstalled: fixed('20'),
  MeterValueSampleInterval: seconds(10, 0),
  MeterValuesSampledData: { initial: MEASURANDS.join(','), accepts: isListOfMeasurands },
  NumberOfConnectors: fixed('2'),
  ReserveConnectorZeroSupported: fixed('true'),
  SendLocalListMaxLength: fixed('500'),
  [VEHICLE_POWER_KEY]: { initial: '11000', accepts: isWholeNumber(0, 350_000) },
  StopTransactionOnEVSideDisconnect: fixed('true'),
  StopTransactionOnInvalidId: flag(true),
  SupportedFeatureProfiles: fixed(
    'Core,FirmwareManagement,LocalAuthListManagement,RemoteTrigger,Reservation,SmartCharging',
  ),
  SupportedFileTransferProtocols: fixed('FTP,FTPS,HTTP,HTTPS'),
  TransactionMessageAttempts: { initial: '3', accepts: isWholeNumber(1, 10) },
  TransactionMessageRetryInterval: seconds(5, 1),
  UnlockConnectorOnEVSideDisconnect: flag(true),
  WebSocketPingInterval: { ...seconds(0, 0), needsReboot: true },
};

/** The values of a charger that nobody has configured yet. */
export function initialConfiguration(sockets: number): Configuration {
  const values = new Map(Object.entries(KEYS).map(([key, { initial }]) => [key, initial]));
  return values.set('NumberOfConnectors', String(sockets));
}

/** OCPP 1.6, 5.8: all keys, or those asked for. Names are compared without case (7.29 CiString50Type). */
export function readConfiguration(
  configuration: Configuration,
  asked: readonly string[] | undefined,
): V16Responses['GetConfiguration'] {
  const wanted = asked === undefined || asked.length === 0 ? [...configuration.keys()] : [...new Set(asked)];
  const found = wanted.map((name) => ({ name, key: keyNamed(name) }));
  return {
    configurationKey: found.flatMap(({ key }) => {
      if (key === undefined) return [];
      const { isReadonly = false, isSecret } = KEYS[key] ?? {};
      const value = isSecret ? {} : { value: configuration.get(key) ?? '' };
      return [{ key, readonly: isReadonly, ...value }];
    }),
    unknownKey: found.flatMap(({ name, key }) => (key === undefined ? [name] : [])),
  };
}

export interface Change {
  readonly status: 'Accepted' | 'Rejected' | 'RebootRequired' | 'NotSupported';
  /** The key as the table spells it; undefined where nothing was changed. */
  readonly key?: string;
}

/** OCPP 1.6, 5.3. Stores an accepted value. */
export function changeConfiguration(configuration: Configuration, name: string, value: string): Change {
  const key = keyNamed(name);
  const rule = key === undefined ? undefined : KEYS[key];
  if (key === undefined || rule === undefined) return { status: 'NotSupported' };
  if (rule.isReadonly || rule.accepts?.(value) === false) return { status: 'Rejected' };
  configuration.set(key, value);
  return { status: rule.needsReboot ? 'RebootRequired' : 'Accepted', key };
}

export function numberOf(configuration: Configuration, key: string): number {
  return Number(configuration.get(key) ?? 0);
}

export function isOn(configuration: Configuration, key: string): boolean {
  return configuration.get(key)?.toLowerCase() === 'true';
}

function keyNamed(name: string): string | undefined {
  return Object.keys(KEYS).find((key) => key.toLowerCase() === name.toLowerCase());
}

function fixed(initial: string): Key {
  return { initial, isReadonly: true };
}

function flag(initial: boolean): Key {
  return { initial: String(initial), accepts: (value) => /^(true|false)$/i.test(value) };
}

function seconds(initial: number, min: number): Key {
  return { initial: String(initial), accepts: isWholeNumber(min, MAX_INTERVAL) };
}

function isWholeNumber(min: number, max: number): (value: string) => boolean {
  return (value) => /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max;
}

function isListOfMeasurands(value: string): boolean {
  return value.split(',').every((measurand) => MEASURANDS.includes(measurand.trim()));
}
