// Certificates that a charger listed or deleted, in any version.
import type { Charger } from '@busbar/domain/chargers';
import { withCertificateListing, withoutCertificate } from '@busbar/domain/device-state';
import type { ListedCertificate } from '@busbar/ocpp';
import type { HandlerContext, Report } from '../../pipeline/contract';
import { changeDeviceState } from './device-state';

interface Listing {
  /** The types that were asked for; undefined: all. */
  readonly types: readonly string[] | undefined;
  readonly certificates: readonly ListedCertificate[];
}

/** `needs.deviceStates` must have named the charger. */
export function storeCertificates(
  charger: Charger,
  { commandId, receivedAt: at }: Report<unknown>,
  context: HandlerContext,
  listing: Listing,
): void {
  const { position } = context;
  changeDeviceState(charger, context, ({ certificates = null }) => ({
    certificates: withCertificateListing(certificates, {
      ...listing,
      commandId: commandId ?? null,
      at,
      position,
    }),
  }));
}

/** The charger deleted it, or has none such. Any other status leaves the list as it is. */
const GONE: readonly string[] = ['Accepted', 'NotFound'];

/** `needs.deviceStates` must have named the charger. */
export function dropCertificate(
  charger: Charger,
  context: HandlerContext,
  { hashData, status }: { readonly hashData: ListedCertificate['hashData']; readonly status: string },
): void {
  if (!GONE.includes(status)) return;
  const { position } = context;
  changeDeviceState(charger, context, ({ certificates = null }) => ({
    certificates: withoutCertificate(certificates, { hashData, position }),
  }));
}
