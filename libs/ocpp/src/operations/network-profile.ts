// The network profile of a charger of OCPP 2.x (B09), in OCPP's own field names. The version and the transport follow the charger.

export const NETWORK_INTERFACES = [
  ...(['Wired0', 'Wired1', 'Wired2', 'Wired3'] as const),
  ...(['Wireless0', 'Wireless1', 'Wireless2', 'Wireless3'] as const),
  'Any',
] as const;
export const APN_AUTHENTICATIONS = ['CHAP', 'NONE', 'PAP', 'AUTO'] as const;
export const VPN_TYPES = ['IKEv2', 'IPSec', 'L2TP', 'PPTP'] as const;

export interface NetworkProfile {
  readonly ocppCsmsUrl: string;
  /** Seconds. */
  readonly messageTimeout: number;
  readonly securityProfile: number;
  /** Any: OCPP 2.1. */
  readonly ocppInterface: (typeof NETWORK_INTERFACES)[number];
  /** OCPP 2.1. */
  readonly identity?: string;
  /** OCPP 2.1. */
  readonly basicAuthPassword?: string;
  readonly apn?: {
    readonly apn: string;
    readonly apnAuthentication: (typeof APN_AUTHENTICATIONS)[number];
    readonly apnUserName?: string;
    readonly apnPassword?: string;
    readonly simPin?: number;
    readonly preferredNetwork?: string;
    readonly useOnlyPreferredNetwork?: boolean;
  };
  readonly vpn?: {
    readonly server: string;
    readonly user: string;
    readonly password: string;
    readonly key: string;
    readonly type: (typeof VPN_TYPES)[number];
    readonly group?: string;
  };
}
