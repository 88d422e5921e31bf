// GetVariables, SetVariables, GetBaseReport and GetReport.
import type { ActionHandlers2, Control2 } from './action-handler';
import { notifyInParts } from './parts';
import { customReportOf, readVariable, reportOf, setVariable, type ReportItem } from './variables';

const BASES: ReadonlySet<string> = new Set(['ConfigurationInventory', 'FullInventory']);

export const deviceModelActions: ActionHandlers2 = {
  /** OCPP 2.0.1, B06. */
  GetVariables: ({ state }, { getVariableData }) => ({
    answer: { getVariableResult: getVariableData.map((asked) => readVariable(state.configuration, asked)) },
  }),

  /** B05. New intervals begin at once; a new password is used for a new connection. */
  SetVariables(control, { setVariableData }) {
    const set = setVariableData.map((wanted) => ({ wanted, ...setVariable(control.state.configuration, wanted) }));
    const password = set.find(({ change }) => change?.status === 'Accepted' && change.key === 'AuthorizationKey');
    const then = (): void | Promise<void> => {
      if (password !== undefined) return control.changePassword(password.wanted.attributeValue);
      control.armTimers();
      // The power of the vehicle decides between Charging and SuspendedEV.
      control.reportStatuses();
    };
    return { answer: { setVariableResult: set.map(({ result }) => result) }, then };
  },

  /** B07. */
  GetBaseReport(control, { requestId, reportBase }) {
    if (!BASES.has(reportBase)) return { answer: { status: 'NotSupported' } };
    const items = reportOf(control.state.configuration, reportBase);
    return { answer: { status: 'Accepted' }, then: () => report(control, requestId, items) };
  },

  /** B08. */
  GetReport(control, request) {
    const items = customReportOf(control.state.configuration, request);
    if (items.length === 0) return { answer: { status: 'EmptyResultSet' } };
    return { answer: { status: 'Accepted' }, then: () => report(control, request.requestId, items) };
  },
};

async function report(
  { translation, clock }: Control2,
  requestId: number,
  items: readonly ReportItem[],
): Promise<void> {
  const generatedAt = clock.now().toISOString();
  await notifyInParts(items, (reportData, at) =>
    translation.notify('NotifyReport', { requestId, generatedAt, ...at, reportData }),
  );
}
