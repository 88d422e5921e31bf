// Operations on the display messages of a charger of OCPP 2.x, in OCPP's own field names.

export const MESSAGE_PRIORITIES = ['AlwaysFront', 'InFront', 'NormalCycle'] as const;
/** The last two of OCPP 2.1. */
export const MESSAGE_STATES = ['Charging', 'Faulted', 'Idle', 'Unavailable', 'Suspended', 'Discharging'] as const;
/** The last one of OCPP 2.1. */
export const MESSAGE_FORMATS = ['ASCII', 'HTML', 'URI', 'UTF8', 'QRCODE'] as const;

type Priority = (typeof MESSAGE_PRIORITIES)[number];
type State = (typeof MESSAGE_STATES)[number];

interface Content {
  readonly format: (typeof MESSAGE_FORMATS)[number];
  readonly language?: string;
  readonly content: string;
}

export interface DisplayMessage {
  readonly id: number;
  readonly priority: Priority;
  readonly state?: State;
  readonly startDateTime?: string;
  readonly endDateTime?: string;
  /** Our id: the message ends with the session. */
  readonly transactionId?: number;
  readonly display?: {
    readonly name: string;
    readonly instance?: string;
    readonly evse?: { readonly id: number; readonly connectorId?: number };
  };
  readonly message: Content;
  /** The same in other languages; OCPP 2.1. */
  readonly messageExtra?: readonly Content[];
}

/** All given ones count. */
export interface DisplayCriteria {
  readonly id?: readonly number[];
  readonly priority?: Priority;
  readonly state?: State;
}

export interface DisplayOperations {
  readonly setDisplayMessage: { readonly input: DisplayMessage; readonly answer: { readonly status: string } };
  /** The charger sends its messages in parts. Without criteria all. */
  readonly listDisplayMessages: {
    readonly input: DisplayCriteria & { readonly requestId: number };
    readonly answer: { readonly status: string };
  };
  readonly clearDisplayMessage: {
    readonly input: { readonly id: number };
    readonly answer: { readonly status: string };
  };
}
