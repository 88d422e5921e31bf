import { compiledOcpp16 } from '../generated/ocpp16';
import { sentOcpp16 } from '../generated/ocpp16-sent';
import type { Protocol } from '../protocol';
import { actions16 } from './actions';

export const ocpp16: Protocol = {
  version: 'ocpp1.6',
  actions: actions16,
  schemas: compiledOcpp16,
  sent: sentOcpp16,
  nullIsEmpty: true,
};
