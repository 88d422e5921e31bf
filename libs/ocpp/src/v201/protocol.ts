import type { Protocol } from '../protocol';
import { RPC_201 } from '../rpc-rules';
import { common2 } from '../v2/common-protocol';
import { networkOperations } from '../v2/network-operations';
import { errorCodes201 } from '../v2/error-codes';
import { compiledOcpp201 } from './generated/validators';
import { sentOcpp201 } from './generated/sent-validators';
import { actions201 } from './actions';

export const ocpp201: Protocol = {
  ...common2,
  operations: { ...common2.operations, ...networkOperations('OCPP20') },
  version: 'ocpp2.0.1',
  rpc: RPC_201,
  maxPasswordCharacters: 40,
  actions: actions201,
  schemas: compiledOcpp201,
  sent: sentOcpp201,
  errorCodes: errorCodes201,
};
