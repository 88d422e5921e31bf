// The table of OCPP 2.1 actions: the rows of 2.0.1, and the actions that 2.1 adds.
import type { Action } from '../action';
import { command, decision, report, send, tableOf } from '../v2/action-rows';
import { ROWS_201 } from '../v201/actions';

const MAX_VAT_NUMBER = 20;

const ROWS_21: readonly Action[] = [
  ...ROWS_201,

  report('BatterySwap'),
  report('ClosePeriodicEventStream'),
  report('NotifyDERAlarm'),
  report('NotifyDERStartStop'),
  report('NotifyPriorityCharging'),
  report('NotifySettlement'),
  report('ReportDERControl'),
  report('VatNumberValidation', (_now, { vatNumber, evseId }) => ({
    status: 'Rejected',
    // It may be one that was tolerated beyond the limit of the answer.
    vatNumber: vatNumber.slice(0, MAX_VAT_NUMBER),
    ...(evseId === undefined ? {} : { evseId }),
  })),

  decision('GetCertificateChainStatus'),
  decision('OpenPeriodicEventStream'),
  decision('PullDynamicScheduleUpdate'),

  send('NotifyPeriodicEventStream'),

  command('AFRRSignal'),
  command('AdjustPeriodicEventStream'),
  command('ChangeTransactionTariff'),
  command('ClearDERControl'),
  command('ClearTariffs'),
  command('GetDERControl'),
  command('GetPeriodicEventStream'),
  command('GetTariffs'),
  command('NotifyAllowedEnergyTransfer'),
  command('NotifyWebPaymentStarted'),
  command('RequestBatterySwap'),
  command('SetDERControl'),
  command('SetDefaultTariff'),
  command('UpdateDynamicSchedule'),
  command('UsePriorityCharging'),
];

export const actions21: ReadonlyMap<string, Action> = tableOf(ROWS_21);
