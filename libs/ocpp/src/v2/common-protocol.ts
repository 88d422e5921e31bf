// What both versions of OCPP 2.x have in common as a `Protocol`.
import type { Protocol } from '../protocol';
import { operationPath2, operations2 } from './operations';
import { repairRules2 } from './repair-rules';
import { bootStatusOf, solicitedBy } from './boot';
import { certificateQuestionOf } from './certificate-questions';
import { newKeysOf, refreshCall, remoteStartOf, statusSocketsOf, tagQuestionOf, transactionChangeOf } from './requests';

type Common = Omit<
  Protocol,
  'version' | 'rpc' | 'maxPasswordCharacters' | 'passwordVariable' | 'actions' | 'schemas' | 'sent' | 'errorCodes'
>;

export const common2: Common = {
  repairs: repairRules2,
  nullIsEmpty: 'tolerated',
  hasOpenFields: true,
  operations: operations2,
  operationPath: operationPath2,
  remoteStartOf,
  tagQuestionOf,
  certificateQuestionOf,
  newKeysOf,
  statusSocketsOf,
  transactionChangeOf,
  refreshCall,
  requiresBoot: true,
  bootStatusOf,
  solicitedBy,
};
