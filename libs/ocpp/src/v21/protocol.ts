import type { Protocol } from '../protocol';
import { RPC_21 } from '../rpc-rules';
import { common2 } from '../v2/common-protocol';
import { networkOperations } from '../v2/network-operations';
import { errorCodes21 } from '../v2/error-codes';
import { compiledOcpp21 } from './generated/validators';
import { sentOcpp21 } from './generated/sent-validators';
import { actions21 } from './actions';
import { operations21 } from './operations';

export const ocpp21: Protocol = {
  ...common2,
  operations: { ...common2.operations, ...networkOperations('OCPP21'), ...operations21 },
  version: 'ocpp2.1',
  rpc: RPC_21,
  maxPasswordCharacters: 64,
  passwordVariable: 'SecurityCtrlr.BasicAuthPassword',
  actions: actions21,
  schemas: compiledOcpp21,
  sent: sentOcpp21,
  errorCodes: errorCodes21,
};
