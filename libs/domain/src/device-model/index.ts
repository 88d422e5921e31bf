export {
  deviceModelOf,
  isWhole,
  variableKey,
  withChangedValues,
  withoutVariables,
  withVariables,
  withWholeReport,
} from './device-model';
export type {
  DeviceModel,
  DeviceModelChange,
  DeviceModelReader,
  DeviceVariable,
  ReportedVariable,
  VariableAttribute,
  VariableCharacteristics,
} from './device-model';
export { readDeviceModel } from './read-device-model';
export type { ReadDeviceModelDeps, ShownDeviceModel, ShownVariable } from './read-device-model';
export { readDeviceReport } from './device-report';
export type {
  DeviceReport,
  DeviceReportReader,
  DeviceReportRow,
  ReadDeviceReportDeps,
  ReportedMonitors,
} from './device-report';
export { isReportComplete, NO_PARTS, withPart } from './report-parts';
export type { ReportPart, ReportParts } from './report-parts';
