import { withAgreedProfile } from '@busbar/domain/chargers';
import type { OutcomeHandler } from './route';

const PROFILES = [1, 2, 3] as const;

/** The result of a SetNetworkProfile (OCPP 2.0.1, B09): the charger may connect by its security profile (rule 108). */
export const setNetworkProfileOutcome: OutcomeHandler<'SetNetworkProfile'> = {
  apply(charger, { payload: { request, status } }) {
    const profile = PROFILES.find((each) => each === request?.connectionData.securityProfile);
    if (status !== 'Accepted' || profile === undefined) return { charger };
    const { registered } = charger;
    const authentication = withAgreedProfile(registered.authentication, profile);
    if (authentication === registered.authentication) return { charger };
    return { charger: { ...charger, registered: { ...registered, authentication } } };
  },
};
