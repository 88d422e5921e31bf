// Display messages that a charger accepted, cleared or reported (rule 160).
import { omitNil } from '@busbar/domain';
import { NO_ITEMS, withMessages, withoutItems, type DisplayMessage } from '@busbar/domain/device-state';
import type { Charger } from '@busbar/domain/chargers';
import type { HandlerContext, Report } from '../../pipeline/contract';
import { parseTimestamp } from '@busbar/ocpp';
import { changeDeviceState } from '../shared/device-state';
import { partHandler } from './reports';
import type { OutcomeHandler, RequestOf } from './route';

type MessageInfo = RequestOf<'SetDisplayMessage'>['message'];

/** The result of a SetDisplayMessage (OCPP 2.0.1, O01, O02 and O06). It replaces the message of that number. */
export const setDisplayMessageOutcome: OutcomeHandler<'SetDisplayMessage'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, report, context) {
    const { request, status } = report.payload;
    if (request !== undefined && status === 'Accepted') storeMessages(charger, report, context, [request.message]);
    return { charger };
  },
};

/** The charger cleared it, or has none such. */
const GONE: ReadonlySet<string> = new Set(['Accepted', 'Unknown']);

/** The result of a ClearDisplayMessage (OCPP 2.0.1, O05). */
export const clearDisplayMessageOutcome: OutcomeHandler<'ClearDisplayMessage'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, { payload: { request, status } }, context) {
    if (request === undefined || !GONE.has(status)) return { charger };
    const removal = { ids: [request.id], position: context.position };
    changeDeviceState(charger, context, ({ displayMessages }) => ({
      displayMessages: withoutItems(displayMessages ?? NO_ITEMS, removal),
    }));
    return { charger };
  },
};

/** A part of the messages that the charger has (OCPP 2.0.1, O03 and O04). */
export const notifyDisplayMessages = partHandler<'NotifyDisplayMessages'>(
  'display_messages',
  ({ messageInfo = [] }) => messageInfo,
  (charger, report, context) => storeMessages(charger, report, context, report.payload.messageInfo ?? []),
);

function storeMessages(
  charger: Charger,
  { commandId, receivedAt: setAt }: Report<unknown>,
  context: HandlerContext,
  messages: readonly MessageInfo[],
): void {
  const { position } = context;
  const stored = messages.map((each) => ({ ...messageOf(each), setAt, commandId: commandId ?? null, position }));
  changeDeviceState(charger, context, ({ displayMessages }) => ({
    displayMessages: withMessages(displayMessages ?? NO_ITEMS, stored),
  }));
}

function messageOf({
  id,
  priority,
  message,
  ...info
}: MessageInfo): Omit<DisplayMessage, 'setAt' | 'commandId' | 'position'> {
  const { state, transactionId: deviceTransactionId, display, messageExtra } = info;
  const [startDateTime, endDateTime] = [utcOf(info.startDateTime), utcOf(info.endDateTime)];
  return {
    id,
    priority,
    message: contentOf(message),
    ...omitNil({ state, startDateTime, endDateTime, deviceTransactionId, display }),
    ...(messageExtra && { messageExtra: messageExtra.map(contentOf) }),
  };
}

function utcOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : parseTimestamp(text)?.date.toISOString();
}

/** Without data of the vendor. */
function contentOf({ format, language, content }: MessageInfo['message']) {
  return { format, content, ...omitNil({ language }) };
}
