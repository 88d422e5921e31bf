// The answers of a scripted charger to our CALLs unless its script replaces them: of OCPP 1.6 and 2.x, whose actions of one name
// differ in none of them.

export type Payload = Readonly<Record<string, unknown>>;

/** The outcome of a CALL to the charger. `silence`: the charger never answers. */
export type ChargerAnswer =
  | { readonly kind: 'result'; readonly payload: Payload }
  | { readonly kind: 'error'; readonly code: string; readonly description?: string; readonly details?: Payload }
  | { readonly kind: 'silence' };

/** May take its time; a plain payload is a CALLRESULT. */
export type Answer = (payload: Payload) => Payload | ChargerAnswer | Promise<Payload | ChargerAnswer>;

const accepted: Answer = () => ({ status: 'Accepted' });

export const defaultAnswers: Readonly<Record<string, Answer>> = {
  GetConfiguration: () => ({
    configurationKey: [
      { key: 'HeartbeatInterval', readonly: false, value: '300' },
      { key: 'NumberOfConnectors', readonly: true, value: '2' },
    ],
    unknownKey: [],
  }),
  ChangeConfiguration: accepted,
  TriggerMessage: accepted,
  RemoteStartTransaction: accepted,
  RemoteStopTransaction: accepted,
  Reset: accepted,
  ClearCache: accepted,
  ChangeAvailability: accepted,
  ReserveNow: accepted,
  CancelReservation: accepted,
  SendLocalList: accepted,
  GetLocalListVersion: () => ({ listVersion: 0 }),
  SetChargingProfile: accepted,
  ClearChargingProfile: accepted,
  GetCompositeSchedule: accepted,
  UnlockConnector: () => ({ status: 'Unlocked' }),
  UpdateFirmware: () => ({}),
  GetDiagnostics: () => ({}),
  DataTransfer: () => ({ status: 'UnknownVendorId' }),
  CertificateSigned: accepted,
  CustomerInformation: accepted,
  GetBaseReport: accepted,
  GetLog: accepted,
  GetReport: accepted,
  GetTransactionStatus: () => ({ messagesInQueue: false }),
  GetVariables: ({ getVariableData }) => ({
    getVariableResult: itemsOf(getVariableData).map((asked) => ({ ...asked, attributeStatus: 'UnknownVariable' })),
  }),
  InstallCertificate: accepted,
  RequestStartTransaction: accepted,
  RequestStopTransaction: accepted,
  SetNetworkProfile: accepted,
  SetVariables: ({ setVariableData }) => ({
    setVariableResult: itemsOf(setVariableData).map(({ component, variable }) => ({
      component,
      variable,
      attributeStatus: 'Accepted',
    })),
  }),
};

function itemsOf(list: unknown): readonly Payload[] {
  return Array.isArray(list) ? (list as readonly Payload[]) : [];
}

/** Runs the script for an action. A script that throws answers InternalError; an action without one NotImplemented. */
export async function answerTo(answer: Answer | undefined, payload: Payload): Promise<ChargerAnswer> {
  if (answer === undefined) return { kind: 'error', code: 'NotImplemented' };
  try {
    const given = await answer(payload);
    return isChargerAnswer(given) ? given : { kind: 'result', payload: given };
  } catch (error) {
    return { kind: 'error', code: 'InternalError', description: String(error) };
  }
}

function isChargerAnswer(given: Payload | ChargerAnswer): given is ChargerAnswer {
  return given['kind' as keyof typeof given] !== undefined;
}
