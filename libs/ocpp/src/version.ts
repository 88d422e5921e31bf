/** Known versions by the names of their websocket subprotocols, which settings and records use too. */
export const OCPP_VERSIONS = ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'] as const;
export type OcppVersion = (typeof OCPP_VERSIONS)[number];

/** Chargers in the field speak it without offering a subprotocol (rule 3). */
export const UNNAMED_VERSION: OcppVersion = 'ocpp1.6';

/** Returns whether the version has security profiles 1 to 3 alone (rule 107). */
export function requiresSecurity(version: string): boolean {
  return version !== 'ocpp1.6';
}

/** OCPP 2.0.1 and 2.1, Part 4, 3.1.1: identifierString without a colon, which ends the Basic username. */
const MAX_IDENTITY_2 = 48;

/** Returns whether a charger of this identity may speak the version (rules 7 and 106). Loads nothing. */
export function allowsIdentity(version: string, identity: string): boolean {
  return version === 'ocpp1.6' || (identity.length <= MAX_IDENTITY_2 && !identity.includes(':'));
}

/** OCPP 1.6, 7.28 (CiString20Type); IdTokenType of 2.0.1 and of 2.1. */
const MAX_TAG_CHARACTERS: Readonly<Record<string, number>> = { 'ocpp1.6': 20, 'ocpp2.0.1': 36, 'ocpp2.1': 255 };

/**
 * The parent of a stored tag, as the version can carry it: undefined for a longer one, which the charger would refuse with all of its
 * message. The caller did not choose it, so it is no error of the caller's. Loads nothing.
 */
export function carriedParent(version: string, parent: string | null | undefined): string | undefined {
  const limit = MAX_TAG_CHARACTERS[version] ?? 0;
  return typeof parent === 'string' && parent.length <= limit ? parent : undefined;
}

/** Those of the versions that a charger may speak (rule 105), in the same order. None named: all. */
export function allowedVersions(versions: readonly string[], named: readonly string[] = []): readonly string[] {
  return named.length === 0 ? versions : versions.filter((version) => named.includes(version));
}
