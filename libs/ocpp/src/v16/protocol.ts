import { compiledOcpp16 } from './generated/validators';
import { sentOcpp16 } from './generated/sent-validators';
import type { Protocol } from '../protocol';
import { RPC_16 } from '../rpc-rules';
import { actions16 } from './actions';
import { errorCodes16 } from './error-codes';
import { operationPath16 } from './operation-paths';
import { operations16 } from './operations';
import { repairRules16 } from './repair-rules';
import { newKeysOf, refreshCall, remoteStartOf, statusSocketsOf, tagQuestionOf, transactionChangeOf } from './requests';

export const ocpp16: Protocol = {
  version: 'ocpp1.6',
  rpc: RPC_16,
  actions: actions16,
  schemas: compiledOcpp16,
  sent: sentOcpp16,
  repairs: repairRules16,
  errorCodes: errorCodes16,
  nullIsEmpty: 'always',
  hasOpenFields: false,
  operations: operations16,
  operationPath: operationPath16,
  remoteStartOf,
  tagQuestionOf,
  newKeysOf,
  maxPasswordCharacters: undefined,
  statusSocketsOf,
  transactionChangeOf,
  refreshCall,
  requiresBoot: false,
  bootStatusOf: () => undefined,
  solicitedBy: () => undefined,
};
