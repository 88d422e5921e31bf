// What a charger of OCPP 2.x is asked after a boot (rules 52 and 150): its configuration, which comes in parts, and the status of its
// connectors where it reports none by itself.
import { randomInt } from 'node:crypto';
import type { Charger } from '@busbar/domain/chargers';
import { placeOfSocket } from '@busbar/ocpp';
import {
  askCharger,
  createAfterBoot as createFor,
  sameConnection,
  type AfterBootDeps,
  type Boot,
} from '../shared/after-boot';
import { responseOf, type Action, type RequestOf } from './route';

/** `requestId` is a signed integer of 32 bits. */
const MAX_REQUEST_ID = 2 ** 31 - 1;

export function createAfterBoot(deps: AfterBootDeps) {
  return createFor(deps, { isDue, configuration: askForConfiguration, status: askForStatus });
}

function isDue({ kind, action }: { readonly kind: string; readonly action: string }, charger: Charger): boolean {
  // Nothing but what an operator asks for.
  if (charger.reported.boot?.status !== undefined) return false;
  if (kind === 'decision') return action === ('BootNotification' satisfies Action);
  // It does not boot when the service restarts.
  return kind === 'connected' && charger.reported.boot !== null && charger.reported.configuration.length === 0;
}

/**
 * OCPP 2.0.1, B07: the whole device model once for each firmware, else what can be configured, as where the charger does not support
 * the former.
 */
async function askForConfiguration(deps: AfterBootDeps, boot: Boot): Promise<void> {
  const { charger } = boot;
  const { inventoryOf, boot: booted } = charger.reported;
  const isKnown = typeof inventoryOf === 'string' && inventoryOf === booted?.firmware;
  if (!isKnown && (await askForReport(deps, boot, 'FullInventory'))) return;
  if (isKnown || !boot.isSilent) await askForReport(deps, boot, 'ConfigurationInventory');
}

/** Resolves with whether the charger did not refuse. */
async function askForReport(
  deps: AfterBootDeps,
  boot: Boot,
  reportBase: RequestOf<'GetBaseReport'>['reportBase'],
): Promise<boolean> {
  const { charger } = boot;
  const payload: RequestOf<'GetBaseReport'> = { requestId: randomInt(1, MAX_REQUEST_ID), reportBase };
  const answer = await askCharger(deps, charger, { action: 'GetBaseReport' satisfies Action, payload });
  if (answer?.outcome === 'timeout') boot.isSilent = true;
  deps.logger.debug({ chargerId: charger.chargerId, reportBase, outcome: answer?.outcome }, 'asked for a report');
  if (answer === undefined) return true;
  const status = responseOf('GetBaseReport', answer)?.status ?? 'NotSupported';
  return status !== 'Rejected' && status !== 'NotSupported';
}

/** More connectors than a charger has that reports none of them after a boot. */
const MAX_CONNECTORS = 16;

/** OCPP 2.0.1, F06: each connector that is known, as a request for a status names one. None is known of a charger that has never reported. */
async function askForStatus(deps: AfterBootDeps, boot: Boot): Promise<void> {
  const current = boot.isSilent ? undefined : await sameConnection(deps, boot.charger);
  if (current === undefined) return;
  const { reported, connection } = current;
  const [order] = connection.position;
  const isReported = Object.values(reported.sockets).some(({ position }) => position[0] >= order);
  if (isReported) return;
  for (const socket of Object.keys(reported.sockets).map(Number).slice(0, MAX_CONNECTORS)) {
    const { evseId: id, connectorId } = placeOfSocket(socket) ?? { evseId: socket, connectorId: 1 };
    const payload: RequestOf<'TriggerMessage'> = { requestedMessage: 'StatusNotification', evse: { id, connectorId } };
    const answer = await askCharger(deps, current, { action: 'TriggerMessage' satisfies Action, payload });
    if (answer?.outcome !== 'answered') return;
  }
}
