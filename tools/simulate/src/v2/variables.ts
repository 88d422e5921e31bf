// The device model of a simulated charger of OCPP 2.x: variables whose values are those of its configuration, and some fixed ones.
import type { V2Requests, V2Responses } from '@busbar/ocpp';
import { changeConfiguration, VEHICLE_POWER_KEY, type Change, type Configuration } from '../charger/configuration';

type Asked = V2Requests['GetVariables']['getVariableData'][number];
type Wanted = V2Requests['SetVariables']['setVariableData'][number];
type Read = V2Responses['GetVariables']['getVariableResult'][number];
type Criteria = V2Requests['GetReport'];
type Set = V2Responses['SetVariables']['setVariableResult'][number];
export type ReportItem = NonNullable<V2Requests['NotifyReport']['reportData']>[number];
type DataType = 'string' | 'integer' | 'boolean' | 'MemberList';

interface Variable {
  readonly component: string;
  readonly variable: string;
  readonly instance?: string;
  readonly dataType: DataType;
  /** The key of the configuration that has its value. */
  readonly key?: string;
  /** The value of a variable without a key: it cannot be changed. */
  readonly fixed?: string;
  readonly isWriteOnly?: true;
}

const VARIABLES: readonly Variable[] = [
  of('AuthCacheCtrlr', 'Enabled', 'AuthorizationCacheEnabled', 'boolean'),
  of('AuthCtrlr', 'AuthorizeRemoteStart', 'AuthorizeRemoteTxRequests', 'boolean'),
  of('AuthCtrlr', 'LocalAuthorizeOffline', 'LocalAuthorizeOffline', 'boolean'),
  of('AuthCtrlr', 'LocalPreAuthorize', 'LocalPreAuthorize', 'boolean'),
  of('AuthCtrlr', 'OfflineTxForUnknownIdEnabled', 'AllowOfflineTxForUnknownId', 'boolean'),
  {
    component: 'DeviceDataCtrlr',
    variable: 'ItemsPerMessage',
    instance: 'GetReport',
    dataType: 'integer',
    fixed: '50',
  },
  {
    component: 'DeviceDataCtrlr',
    variable: 'ItemsPerMessage',
    instance: 'GetVariables',
    dataType: 'integer',
    fixed: '50',
  },
  {
    component: 'DeviceDataCtrlr',
    variable: 'ItemsPerMessage',
    instance: 'SetVariables',
    dataType: 'integer',
    fixed: '50',
  },
  of('LocalAuthListCtrlr', 'Enabled', 'LocalAuthListEnabled', 'boolean'),
  of('OCPPCommCtrlr', 'HeartbeatInterval', 'HeartbeatInterval', 'integer'),
  { ...of('OCPPCommCtrlr', 'MessageAttempts', 'TransactionMessageAttempts', 'integer'), instance: 'TransactionEvent' },
  {
    ...of('OCPPCommCtrlr', 'MessageAttemptInterval', 'TransactionMessageRetryInterval', 'integer'),
    instance: 'TransactionEvent',
  },
  of('OCPPCommCtrlr', 'WebSocketPingInterval', 'WebSocketPingInterval', 'integer'),
  of('SampledDataCtrlr', 'TxUpdatedInterval', 'MeterValueSampleInterval', 'integer'),
  of('SampledDataCtrlr', 'TxUpdatedMeasurands', 'MeterValuesSampledData', 'MemberList'),
  { ...of('SecurityCtrlr', 'BasicAuthPassword', 'AuthorizationKey', 'string'), isWriteOnly: true },
  of('SecurityCtrlr', 'OrganizationName', 'CpoName', 'string'),
  of('SimulatedVehicle', 'PowerW', VEHICLE_POWER_KEY, 'integer'),
  of('TxCtrlr', 'StopTxOnInvalidId', 'StopTransactionOnInvalidId', 'boolean'),
  { component: 'TxCtrlr', variable: 'TxStartPoint', dataType: 'MemberList', fixed: 'Authorized' },
  { component: 'TxCtrlr', variable: 'TxStopPoint', dataType: 'MemberList', fixed: 'EVConnected,Authorized' },
];

/** OCPP 2.0.1, B06. */
export function readVariable(configuration: Configuration, asked: Asked): Read {
  const { component, variable, attributeType } = asked;
  const echo = { component, variable, ...(attributeType === undefined ? {} : { attributeType }) };
  const found = findVariable(asked);
  if (typeof found === 'string') return { ...echo, attributeStatus: found };
  if (found.isWriteOnly) return { ...echo, attributeStatus: 'Rejected' };
  return { ...echo, attributeStatus: 'Accepted', attributeValue: valueOf(configuration, found) };
}

/** OCPP 2.0.1, B05. `change`: what the configuration made of it. */
export function setVariable(
  configuration: Configuration,
  { attributeValue, ...asked }: Wanted,
): { readonly result: Set; readonly change?: Change } {
  const { component, variable, attributeType } = asked;
  const echo = { component, variable, ...(attributeType === undefined ? {} : { attributeType }) };
  const found = findVariable(asked);
  if (typeof found === 'string') return { result: { ...echo, attributeStatus: found } };
  if (found.key === undefined) return { result: { ...echo, attributeStatus: 'Rejected' } };
  const change = changeConfiguration(configuration, found.key, attributeValue);
  const attributeStatus = change.status === 'NotSupported' ? 'Rejected' : change.status;
  return { result: { ...echo, attributeStatus }, change };
}

/** OCPP 2.0.1, B07: all variables, or those that can be changed. */
export function reportOf(configuration: Configuration, base: string): ReportItem[] {
  const reported = base === 'FullInventory' ? VARIABLES : VARIABLES.filter(({ key }) => key !== undefined);
  return reported.map((each) => itemOf(configuration, each));
}

/** B08: the variables that are named, of the components that meet any of the criteria. What is not given asks for all. */
export function customReportOf(
  configuration: Configuration,
  { componentVariable, componentCriteria }: Pick<Criteria, 'componentVariable' | 'componentCriteria'>,
): ReportItem[] {
  const reported = VARIABLES.filter(
    (each) =>
      (componentVariable?.some((asked) => isNamed(each, asked)) ?? true) &&
      (componentCriteria?.some((criterion) => meets(configuration, each.component, criterion)) ?? true),
  );
  return reported.map((each) => itemOf(configuration, each));
}

/** Without a variable all of the component, without an instance all of the variable. */
function isNamed(each: Variable, { component, variable }: NonNullable<Criteria['componentVariable']>[number]): boolean {
  const isElsewhere = component.evse !== undefined || component.instance !== undefined;
  if (isElsewhere || !isSame(each.component, component.name)) return false;
  if (variable === undefined) return true;
  const { name, instance = each.instance ?? '' } = variable;
  return isSame(each.variable, name) && isSame(each.instance ?? '', instance);
}

/** B08.FR.07 to FR.10: a component without the variable of a criterion meets it, but for Problem. */
function meets(configuration: Configuration, component: string, criterion: string): boolean {
  const found = VARIABLES.find((each) => each.component === component && each.variable === criterion);
  return found === undefined ? criterion !== 'Problem' : valueOf(configuration, found) === 'true';
}

function itemOf(configuration: Configuration, each: Variable): ReportItem {
  const { component, variable, instance, key, isWriteOnly, dataType } = each;
  const mutability = isWriteOnly ? 'WriteOnly' : key === undefined ? 'ReadOnly' : 'ReadWrite';
  const value = isWriteOnly ? {} : { value: valueOf(configuration, each) };
  return {
    component: { name: component },
    variable: { name: variable, ...(instance === undefined ? {} : { instance }) },
    variableAttribute: [{ type: 'Actual', mutability, ...value }],
    variableCharacteristics: { dataType, supportsMonitoring: false },
  };
}

/** Names are compared without case. */
function findVariable({
  component,
  variable,
  attributeType = 'Actual',
}: Asked): Variable | 'UnknownComponent' | 'UnknownVariable' | 'NotSupportedAttributeType' {
  const ofComponent = VARIABLES.filter((each) => isSame(each.component, component.name));
  const isElsewhere = component.evse !== undefined || component.instance !== undefined;
  if (ofComponent.length === 0 || isElsewhere) return 'UnknownComponent';
  const found = ofComponent.find(
    (each) => isSame(each.variable, variable.name) && isSame(each.instance ?? '', variable.instance ?? ''),
  );
  if (found === undefined) return 'UnknownVariable';
  return attributeType === 'Actual' ? found : 'NotSupportedAttributeType';
}

function valueOf(configuration: Configuration, { key, fixed }: Variable): string {
  return fixed ?? configuration.get(key ?? '') ?? '';
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function of(component: string, variable: string, key: string, dataType: DataType): Variable {
  return { component, variable, key, dataType };
}
