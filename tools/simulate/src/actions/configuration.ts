// GetConfiguration and ChangeConfiguration.
import { changeConfiguration, readConfiguration } from '../charger/configuration';
import type { ActionHandlers } from './action-handler';

export const configurationActions: ActionHandlers = {
  /** OCPP 1.6, 5.8. */
  GetConfiguration: ({ state }, { key }) => ({ answer: readConfiguration(state.configuration, key) }),

  /** 5.3. New intervals begin at once; a new AuthorizationKey is used for a new connection. */
  ChangeConfiguration(control, { key, value }) {
    const { status, key: changed } = changeConfiguration(control.state.configuration, key, value);
    const then = (): void | Promise<void> => {
      if (changed === 'AuthorizationKey') return control.changePassword(keyOf(value));
      if (changed === 'HeartbeatInterval' || changed === 'MeterValueSampleInterval') control.armTimers();
      // The power of the vehicle decides between Charging and SuspendedEV.
      control.reportStatuses();
    };
    return { answer: { status }, then: status === 'Accepted' ? then : undefined };
  },
};

/** OCPP-J 1.6, 6.2: hexadecimal digits are the bytes of the key. */
function keyOf(value: string): string | Buffer {
  return /^(?:[0-9a-f]{2}){16,20}$/i.test(value) ? Buffer.from(value, 'hex') : value;
}
