// What a simulated charger sends, as messages of OCPP 2.x. The rest of the charger speaks in the messages of 1.6, as a bridge would.
import { isAppError } from '@busbar/core';
import type { Version } from '../options';
import type { CallResult, V16Action, V16Requests, V2Action, V2Requests } from '@busbar/ocpp';
import type { Connect, Connection, Payload } from '../connection';
import {
  authorizedAs,
  chargingStateOf,
  connectorStatusOf,
  meterValuesOf,
  stationOf,
  tagInfoOf,
  tokenOf,
} from './messages';
import { createTransactions, type TransactionEvent, type Transactions } from './transactions';

type BootReason = V2Requests['BootNotification']['reason'];

export interface TranslationOptions {
  /** An id that no other transaction of the charger has. */
  readonly version: Version;
  readonly newId: () => string;
  /** The charging state of a session has changed: its next reading reports it. */
  readonly onChargingState: (socketId: number) => void;
  readonly onFailure: (reason: string) => void;
  readonly now: () => Date;
}

/** A message of 2.x, and its response in the form of 1.6. */
interface Translated {
  readonly action: V2Action;
  readonly payload: Payload;
  readonly answer?: (payload: Payload) => Payload;
}

/** Nothing is sent: 2.x has no such message, or it would repeat the last one. */
const NOTHING: CallResult = { outcome: 'answered', payload: {}, deviations: [] };
const DEFAULT_BOOT: BootReason = 'PowerUp';

interface State extends TranslationOptions {
  readonly transactions: Transactions;
  /** By socket. */
  readonly statuses: Map<number, string>;
  connection: Connection | undefined;
  bootReason: BootReason;
  /** Of the last UpdateFirmware. */
  firmwareRequestId: number | undefined;
  /** Events from before are of a time without a connection. */
  onlineSince: Date | undefined;
}

export type Translation = ReturnType<typeof createTranslation>;

/** It survives connections, as the transactions of a charger do. */
export function createTranslation(options: TranslationOptions) {
  /** By tag in lower case. */
  const remoteStarts = new Map<string, number>();
  const remoteStartOf = (idTag: string): number | undefined => remoteStarts.get(idTag.toLowerCase());
  const transactions = createTransactions(options.newId, remoteStartOf);
  const state: State = {
    ...options,
    transactions,
    statuses: new Map(),
    connection: undefined,
    bootReason: DEFAULT_BOOT,
    firmwareRequestId: undefined,
    onlineSince: undefined,
  };
  /** Sends a message that 1.6 does not have. Resolves with the answer; undefined where there is none. */
  const ask = async <A extends V2Action>(action: A, payload: V2Requests[A]): Promise<Payload | undefined> => {
    const result = await state.connection?.call(action, payload);
    if (result?.outcome === 'error') options.onFailure(`${action}: ${result.code} ${result.description}`.trim());
    return result?.outcome === 'answered' ? result.payload : undefined;
  };
  return {
    transactions,
    version: options.version,
    /** Connections that take the messages of 1.6. */
    speak:
      (connect: Connect): Connect =>
      async (password, events) => {
        const connection = await connect(password, events);
        state.connection = connection;
        return { ...connection, call: (action, payload) => call(state, connection, [action, payload]) };
      },
    ask,
    /** The same where the answer says nothing. */
    notify: async <A extends V2Action>(action: A, payload: V2Requests[A]): Promise<void> => {
      await ask(action, payload);
    },
    /** Sends a message that has no answer (2.1); lost without a connection. */
    sendUnanswered<A extends V2Action>(action: A, payload: V2Requests[A]): void {
      try {
        state.connection?.sendUnanswered(action, payload);
      } catch (error) {
        if (!isAppError(error, 'charger_disconnected')) throw error;
      }
    },
    /** The reason of the next boot. */
    bootsBecause: (reason: BootReason) => void (state.bootReason = reason),
    /** The statuses of these sockets are sent again. */
    repeatStatuses: (sockets: readonly number[]) => sockets.forEach((id) => state.statuses.delete(id)),
    updatesFirmware: (requestId: number) => void (state.firmwareRequestId = requestId),
    /** The session of this tag that begins meanwhile names the remote start. */
    async duringRemoteStart(idTag: string, remoteStartId: number, begin: () => void | Promise<void>): Promise<void> {
      remoteStarts.set(idTag.toLowerCase(), remoteStartId);
      try {
        await begin();
      } finally {
        remoteStarts.delete(idTag.toLowerCase());
      }
    },
  };
}

async function call(
  state: State,
  connection: Connection,
  [action, payload]: readonly [action: string, payload: Payload],
): Promise<CallResult> {
  const translate = TRANSLATORS[action as V16Action] as
    ((state: State, payload: Payload) => Translated | undefined) | undefined;
  const message = translate?.(state, payload);
  if (message === undefined) return NOTHING;
  const result = await connection.call(message.action, message.payload);
  if (result.outcome !== 'answered' || message.answer === undefined) return result;
  return { ...result, payload: message.answer(result.payload) };
}

const TRANSLATORS: {
  readonly [A in V16Action]?: (state: State, payload: V16Requests[A]) => Translated | undefined;
} = {
  BootNotification(state, boot) {
    const payload = { reason: state.bootReason, chargingStation: stationOf(boot) };
    state.bootReason = DEFAULT_BOOT;
    // After a boot every status is sent.
    state.statuses.clear();
    const answer = (answered: Payload): Payload => {
      if (answered['status'] === 'Accepted') state.onlineSince = state.now();
      return answered;
    };
    return { action: 'BootNotification', payload, answer };
  },
  Heartbeat: () => ({ action: 'Heartbeat', payload: {} }),
  Authorize: (_state, { idTag }) => ({
    action: 'Authorize',
    payload: { idToken: tokenOf(idTag) },
    answer: (answered) => ({ ...authorizedAs(answered) }),
  }),
  StatusNotification(state, { connectorId, status, timestamp }) {
    // A charging station has no status of its own.
    if (connectorId === 0) return undefined;
    const transaction = state.transactions.atSocket(connectorId);
    const chargingState = chargingStateOf(status);
    if (transaction !== undefined && chargingState !== undefined && chargingState !== transaction.chargingState) {
      transaction.chargingState = chargingState;
      state.onChargingState(connectorId);
    }
    const connectorStatus = connectorStatusOf(status);
    if (state.statuses.get(connectorId) === connectorStatus) return undefined;
    state.statuses.set(connectorId, connectorStatus);
    const at = timestamp ?? state.now().toISOString();
    const payload = { timestamp: at, connectorStatus, evseId: connectorId, connectorId: 1 };
    return { action: 'StatusNotification', payload };
  },
  StartTransaction(state, start) {
    const event = state.transactions.started(start);
    const number = state.transactions.withId(event.transactionInfo.transactionId)?.number;
    const answer = (answered: Payload): Payload => {
      const { idTokenInfo } = answered as { idTokenInfo?: Parameters<typeof tagInfoOf>[0] };
      const idTagInfo = idTokenInfo === undefined ? { status: 'Accepted' as const } : tagInfoOf(idTokenInfo);
      return { transactionId: number, idTagInfo };
    };
    return { ...eventMessage(state, event), answer };
  },
  StopTransaction: (state, stop) => eventOrNothing(state, state.transactions.ended(stop)),
  MeterValues(state, values) {
    const isOfTransaction = values.transactionId !== undefined;
    if (isOfTransaction) return eventOrNothing(state, state.transactions.updated(values));
    const meterValue = meterValuesOf(values.meterValue);
    if (meterValue.length === 0) return undefined;
    return { action: 'MeterValues', payload: { evseId: values.connectorId, meterValue } };
  },
  LogStatusNotification: (_state, payload) => ({ action: 'LogStatusNotification', payload }),
  FirmwareStatusNotification({ firmwareRequestId: requestId }, { status }) {
    const isOfRequest = status !== 'Idle' && requestId !== undefined;
    return { action: 'FirmwareStatusNotification', payload: { status, ...(isOfRequest ? { requestId } : {}) } };
  },
};

function eventOrNothing(state: State, event: TransactionEvent | undefined): Translated | undefined {
  return event === undefined ? undefined : eventMessage(state, event);
}

function eventMessage({ onlineSince }: State, event: TransactionEvent): Translated {
  const isOffline = onlineSince !== undefined && new Date(event.timestamp) < onlineSince;
  return { action: 'TransactionEvent', payload: { ...event, ...(isOffline ? { offline: true } : {}) } };
}
