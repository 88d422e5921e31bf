// Lists and deletes certificates of a charger.
import { AppError } from '@busbar/core';
import type { Charger } from '../chargers/charger';
import { certificateIdOf, type InstalledCertificate } from '../device-state/certificates';
import type { DeviceStateReader } from '../device-state/device-state';
import { readOwnedCharger } from '../chargers/owned-charger';
import { callCharger, type CallChargerDeps, type ChargerCommand, type ChargerOwner } from './call-charger';
import type { Commanded } from './record-command';
import { untilStored } from './until-stored';

export interface CertificateDeps extends CallChargerDeps {
  readonly deviceStates: DeviceStateReader;
}

export interface ListedCertificates extends Commanded {
  /** The charger's own word. */
  readonly status: string;
  readonly certificates: readonly InstalledCertificate[];
}

/**
 * Asks the charger for its certificates, by each of these commands in turn, and resolves with all that it listed, and the id of the last command. The list is then
 * stored, so that a certificate can be deleted by its id, unless storing takes too long. Throws as `callCharger` does.
 */
export async function listCertificates(
  deps: CertificateDeps,
  owner: ChargerOwner,
  commands: readonly ChargerCommand<Omit<ListedCertificates, 'commandId'>>[],
): Promise<ListedCertificates> {
  const answers: ListedCertificates[] = [];
  for (const command of commands) answers.push(await callCharger(deps, owner, command));
  const last = answers.at(-1);
  if (last === undefined) throw new AppError('invalid_request', 'A list of certificates needs a type.');
  const charger = await readOwnedCharger(deps, owner);
  await untilStored(deps, last.commandId, async () => (await deps.deviceStates.read(charger)).certificates?.commandId);
  const { status } = answers.find((each) => each.status === 'Accepted') ?? last;
  return { ...last, status, certificates: answers.flatMap(({ certificates }) => certificates) };
}

/** The certificate of this id in the list of the charger that was read last. Throws `not_found`. */
export async function readInstalledCertificate(
  { deviceStates }: Pick<CertificateDeps, 'deviceStates'>,
  charger: Charger,
  certificateId: string,
): Promise<InstalledCertificate> {
  const { certificates } = await deviceStates.read(charger);
  const found = certificates?.certificates.find(({ hashData }) => certificateIdOf(hashData) === certificateId);
  if (found !== undefined) return found;
  throw new AppError(
    'not_found',
    `The charger ${charger.chargerId} has not listed a certificate ${certificateId}. Ask it for its certificates (refresh=true).`,
  );
}
