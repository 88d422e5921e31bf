// Finds which of a charger's keys a connection presented.
import type { AdmissionRequest, Compatibility } from '@busbar/contracts';
import { certifies, pendingOf, type Charger } from '@busbar/domain/chargers';
import { allowedVersions, requiresSecurity } from '@busbar/ocpp';
import type { PasswordChecks } from './password-checks';

export interface PresentedKey {
  readonly used: 'present' | { readonly commandId: string };
  /** Sent as hexadecimal digits of its bytes: a tolerated deviation (rule 9). */
  readonly asHex: boolean;
  /** False where the charger needs no password, so that none was compared. */
  readonly isVerified: boolean;
}

/**
 * Compares bytes, not text (rule 8): the present key, then keys that the charger may have been given since (rule 10). A certificate is
 * enough for profile 3 of OCPP 2.x, and after an accepted network profile with it: a password is not compared (rules 107 and 108).
 */
export async function presentedKey(
  charger: Charger,
  request: AdmissionRequest,
  passwords: PasswordChecks,
): Promise<PresentedKey | 'wrong' | 'busy'> {
  return isCertified(charger, request) ? PRESENT : findKey(charger.registered, request, passwords);
}

async function findKey(
  { authentication, compatibility }: Charger['registered'],
  request: AdmissionRequest,
  passwords: PasswordChecks,
): Promise<PresentedKey | 'wrong' | 'busy'> {
  const { passwordBase64, suspect = false } = request;
  const { passwordHash } = authentication;
  // The newest pending key is the most likely.
  const pending = [...pendingOf(authentication)].reverse();
  if (passwordHash === null && (passwordBase64 === undefined || pending.length === 0)) return PRESENT;
  if (passwordBase64 === undefined) return 'wrong';
  const candidates: readonly Candidate[] = [
    ...(passwordHash === null ? [] : [{ used: 'present', passwordHash } as const]),
    ...pending.map(({ commandId, passwordHash }) => ({ used: { commandId }, passwordHash })),
  ];
  for (const { secret, asHex } of formsOf(Buffer.from(passwordBase64, 'base64'), mayBeHex(compatibility, request))) {
    for (const candidate of candidates) {
      const isRight = await passwords.check(secret, candidate.passwordHash, suspect);
      if (isRight === 'busy') return 'busy';
      if (isRight) return { used: candidate.used, asHex, isVerified: true };
    }
  }
  return passwordHash === null ? PRESENT : 'wrong';
}

function isCertified({ registered, ...charger }: Charger, request: AdmissionRequest): boolean {
  const { agreedProfiles = [], securityProfile } = registered.authentication;
  const isEnough = agreedProfiles.includes(3) || (securityProfile === 3 && speaks2(registered.compatibility, request));
  const { secure, certificateNames = [] } = request;
  return isEnough && secure && certifies(certificateNames, charger);
}

/** A password of 2.x is a text, in which hexadecimal digits stand for themselves (rule 106). */
function mayBeHex(compatibility: Compatibility, request: AdmissionRequest): boolean {
  return compatibility.acceptHexKey && !speaks2(compatibility, request);
}

function speaks2(
  { ocppVersions }: Compatibility,
  { ocppVersion, offeredVersions = ocppVersion === null ? [] : [ocppVersion] }: AdmissionRequest,
): boolean {
  const [spoken] = allowedVersions(offeredVersions, ocppVersions);
  return spoken !== undefined && requiresSecurity(spoken);
}

interface Candidate {
  readonly used: PresentedKey['used'];
  readonly passwordHash: string;
}

const PRESENT: PresentedKey = { used: 'present', asHex: false, isVerified: false };

function formsOf(sent: Buffer, acceptHexKey: boolean): { readonly secret: Buffer; readonly asHex: boolean }[] {
  const text = sent.toString('latin1');
  const asSent = { secret: sent, asHex: false };
  if (!acceptHexKey || !/^(?:[0-9A-Fa-f]{2}){16,20}$/.test(text)) return [asSent];
  return [asSent, { secret: Buffer.from(text, 'hex'), asHex: true }];
}
