// The messages on the display of a simulated charger. It shows them in no other way than in its reports.
import type { V2Requests } from '@busbar/ocpp';
import type { DisplayMessage } from '../charger/charger-state';
import type { ActionHandlers2, Control2 } from './action-handler';
import { notifyInParts } from './parts';

type Criteria = V2Requests['GetDisplayMessages'];
type Verdict = 'Accepted' | 'Rejected' | 'NotSupportedMessageFormat' | 'UnknownTransaction';

const MAX_MESSAGES = 20;
const FORMATS: ReadonlySet<string> = new Set(['ASCII', 'UTF8']);

export const displayActions: ActionHandlers2 = {
  /** OCPP 2.0.1, O01, O02 and O06. A message replaces that of its number. */
  SetDisplayMessage(control, { message }) {
    const { state } = control;
    const others = state.displayMessages.filter(({ id }) => id !== message.id);
    const status = verdictOn(control, message, others.length);
    if (status === 'Accepted') state.displayMessages = [...others, message];
    return { answer: { status } };
  },

  /** O03 and O04. */
  GetDisplayMessages(control, request) {
    const messageInfo = control.state.displayMessages.filter((message) => isAsked(message, request));
    if (messageInfo.length === 0) return { answer: { status: 'Unknown' } };
    const { requestId } = request;
    const then = () =>
      notifyInParts(messageInfo, (part, { tbc }) =>
        control.translation.notify('NotifyDisplayMessages', { requestId, tbc, messageInfo: part }),
      );
    return { answer: { status: 'Accepted' }, then };
  },

  /** O05. */
  ClearDisplayMessage({ state }, { id }) {
    const left = state.displayMessages.filter((message) => message.id !== id);
    const isKnown = left.length < state.displayMessages.length;
    state.displayMessages = left;
    return { answer: { status: isKnown ? 'Accepted' : 'Unknown' } };
  },
};

function verdictOn({ translation }: Control2, { message, transactionId }: DisplayMessage, others: number): Verdict {
  if (!FORMATS.has(message.format)) return 'NotSupportedMessageFormat';
  if (transactionId !== undefined && translation.transactions.withId(transactionId) === undefined)
    return 'UnknownTransaction';
  return others < MAX_MESSAGES ? 'Accepted' : 'Rejected';
}

function isAsked(message: DisplayMessage, { id, priority, state }: Criteria): boolean {
  if (id?.includes(message.id) === false) return false;
  return (priority ?? message.priority) === message.priority && (state ?? message.state) === message.state;
}
