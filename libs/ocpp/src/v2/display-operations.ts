// Display messages in OCPP 2.x (O01 to O06).
import { given } from '../operations/calls';
import type { OperationTable } from '../operations/operation';
import { status } from './operation-parts';

export const displayOperations: OperationTable = {
  setDisplayMessage: ({ transactionId: ours, ...message }, { deviceTransactionId: transactionId }) =>
    ours !== undefined && transactionId === undefined
      ? undefined
      : status('SetDisplayMessage', { message: { ...message, ...given('transactionId', transactionId) } }),
  listDisplayMessages: (criteria) => status('GetDisplayMessages', criteria),
  clearDisplayMessage: ({ id }) => status('ClearDisplayMessage', { id }),
};

/** The path of a field in the input, by its path in the payload. */
export function displayPath([field = '', ...rest]: readonly string[]): string {
  // A message has a field `message` too.
  return `/${field === 'message' ? rest.join('/') : [field, ...rest].join('/')}`;
}
