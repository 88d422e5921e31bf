// GetVariables, SetVariables and GetBaseReport.
import type { ActionHandlers2, Control2 } from './action-handler';
import { readVariable, reportOf, setVariable } from './variables';

const ITEMS_PER_REPORT = 10;
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
    return { answer: { status: 'Accepted' }, then: () => report(control, requestId, reportBase) };
  },
};

/** In parts, one after another. */
async function report({ state, translation, clock }: Control2, requestId: number, base: string): Promise<void> {
  const items = reportOf(state.configuration, base);
  const generatedAt = clock.now().toISOString();
  for (let seqNo = 0; seqNo * ITEMS_PER_REPORT < items.length; seqNo += 1) {
    const from = seqNo * ITEMS_PER_REPORT;
    const tbc = from + ITEMS_PER_REPORT < items.length;
    const reportData = items.slice(from, from + ITEMS_PER_REPORT);
    await translation.notify('NotifyReport', { requestId, generatedAt, seqNo, tbc, reportData });
  }
}
