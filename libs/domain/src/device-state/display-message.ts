// Messages that a charger of OCPP 2.x shows on its display.
import type { OngoingTransaction } from '../sessions/ongoing-transaction';
import type { Timestamp } from '../timestamp';
import { withItems, type NumberedItem, type NumberedItems } from './numbered-items';

/** In OCPP's field names (`MessageContentType`). */
export interface MessageContent {
  readonly format: string;
  readonly language?: string;
  readonly content: string;
}

/** In OCPP's field names (`MessageInfoType`). */
export interface DisplayMessage extends NumberedItem {
  readonly priority: string;
  /** Absent: in any state. */
  readonly state?: string;
  readonly startDateTime?: Timestamp;
  readonly endDateTime?: Timestamp;
  /** The charger's own id of the transaction with which the message ends. */
  readonly deviceTransactionId?: string;
  /** The component that shows it. Absent: the main display. */
  readonly display?: Readonly<Record<string, unknown>>;
  readonly message: MessageContent;
  /** The same in other languages. */
  readonly messageExtra?: readonly MessageContent[];
  /** When the charger accepted or reported it last. */
  readonly setAt: Timestamp;
  /** The command that set it. Null: none of this service. */
  readonly commandId: string | null;
}

export interface ShownMessage extends DisplayMessage {
  /** Our id of its transaction. Null: it is not for one. */
  readonly transactionId: number | null;
}

/** More than any charger shows. */
const MAX_MESSAGES = 100;

/** Adds messages; a reported one that the charger had already keeps its command. */
export function withMessages(
  before: NumberedItems<DisplayMessage>,
  messages: readonly DisplayMessage[],
): NumberedItems<DisplayMessage> {
  const commands = new Map(before.items.map(({ id, commandId }) => [id, commandId]));
  const added = messages.map((each) => ({ ...each, commandId: each.commandId ?? commands.get(each.id) ?? null }));
  return withItems(before, added, MAX_MESSAGES);
}

/** Those that the charger still has: it removes a message at its end, and with its transaction (OCPP 2.0.1, O01 and O02). */
export function messagesInForce(
  { items }: NumberedItems<DisplayMessage>,
  ongoing: readonly OngoingTransaction[],
  now: Timestamp,
): readonly ShownMessage[] {
  return items.flatMap((message): readonly ShownMessage[] => {
    const { endDateTime, deviceTransactionId } = message;
    if (endDateTime !== undefined && endDateTime <= now) return [];
    if (deviceTransactionId === undefined) return [{ ...message, transactionId: null }];
    const transaction = ongoing.find(({ device }) => device?.id === deviceTransactionId);
    return transaction === undefined ? [] : [{ ...message, transactionId: transaction.transactionId }];
  });
}
