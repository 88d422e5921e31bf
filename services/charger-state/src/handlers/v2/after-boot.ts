// What a charger of OCPP 2.x is asked after a boot (rules 52 and 150): its configuration, which comes in parts, and the status of its
// connectors where it reports none by itself.
import { randomInt } from 'node:crypto';
import type { Charger } from '@busbar/domain/chargers';
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

/** OCPP 2.0.1, F06. Without an EVSE it is for all connectors. */
async function askForStatus(deps: AfterBootDeps, boot: Boot): Promise<void> {
  const current = boot.isSilent ? undefined : await sameConnection(deps, boot.charger);
  if (current === undefined) return;
  const { reported, connection } = current;
  const [order] = connection.position;
  const isReported = Object.values(reported.sockets).some(({ position }) => position[0] >= order);
  if (isReported) return;
  const payload: RequestOf<'TriggerMessage'> = { requestedMessage: 'StatusNotification' };
  await askCharger(deps, current, { action: 'TriggerMessage' satisfies Action, payload });
}
