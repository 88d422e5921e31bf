// Commands that a charger continues after its response, in any version. The request is stored as an event in the API's terms, beside
// the events of its progress.
import { transferAction, type TransferKind, type TransferRequest } from '@busbar/domain/commands';
import { maskPayload } from '@busbar/ocpp';
import type { Handler } from '../../pipeline/contract';
import { storeEvent } from './store-event';
import type { TypedOutcome } from './typed-routes';

export type RequestFields = Partial<Omit<TransferRequest, 'location'>> & Pick<TransferRequest, 'location'>;

/** Handles the result of such a command. */
export function transferOutcome<Request, Response>(
  kind: TransferKind,
  encode: (request: Request) => RequestFields,
  fileNameOf: (response: Response) => string | undefined = () => undefined,
): Handler<TypedOutcome<Request, Response>> {
  return {
    apply(charger, report, context) {
      const { request, response, status } = report.payload;
      if (request === undefined || response === undefined) return { charger };
      const payload = {
        ...maskPayload(encode(request)),
        status: status === '' ? null : status,
        fileName: fileNameOf(response) ?? null,
        commandId: report.commandId ?? null,
      };
      storeEvent(charger, { ...report, action: transferAction(kind, 'requested'), payload }, context);
      return { charger };
    },
  };
}

export function attempts({ retries, retryInterval }: { readonly retries?: number; readonly retryInterval?: number }) {
  return { retries: retries ?? null, retryIntervalS: retryInterval ?? null };
}
