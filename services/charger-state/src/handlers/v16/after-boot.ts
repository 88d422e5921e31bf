// What a charger of OCPP 1.6 is asked after a boot (rule 52): its configuration, and the status of sockets that it does not report by
// itself.
import type { Charger } from '@busbar/domain/chargers';
import {
  askCharger,
  createAfterBoot as createFor,
  sameConnection,
  type AfterBootDeps,
  type Boot,
} from '../shared/after-boot';
import type { Action, RequestOf } from './route';

/** A charger that claims more connectors than this is asked for all at once. */
const MAX_CONNECTORS = 50;

export function createAfterBoot(deps: AfterBootDeps) {
  return createFor(deps, { isDue, configuration: askForConfiguration, status: askForStatus });
}

/** A boot; or a connection of a charger whose configuration was never read, since it does not boot when the service restarts. */
function isDue({ kind, action }: { readonly kind: string; readonly action: string }, charger: Charger): boolean {
  if (kind === 'decision') return action === ('BootNotification' satisfies Action);
  return kind === 'connected' && charger.reported.boot !== null && charger.reported.configurationPosition === null;
}

async function askForConfiguration(deps: AfterBootDeps, boot: Boot): Promise<void> {
  const { charger } = boot;
  const answer = await call(deps, charger, 'GetConfiguration', {});
  if (answer?.outcome === 'timeout') boot.isSilent = true;
  deps.logger.debug({ chargerId: charger.chargerId, outcome: answer?.outcome }, 'asked for the configuration');
}

/** Asks for each connector without a status since this connection began; for all when their number is unknown. */
async function askForStatus(deps: AfterBootDeps, boot: Boot): Promise<void> {
  if (boot.isSilent) return;
  const current = await sameConnection(deps, boot.charger);
  if (current === undefined) return;
  for (const connectorId of missingConnectors(current)) {
    const payload: RequestOf<'TriggerMessage'> = {
      requestedMessage: 'StatusNotification',
      ...(connectorId === undefined ? {} : { connectorId }),
    };
    const answer = await call(deps, current, 'TriggerMessage', payload);
    if (answer?.outcome !== 'answered') return;
  }
}

function call<A extends Action>(deps: AfterBootDeps, charger: Charger, action: A, payload: RequestOf<A>) {
  return askCharger(deps, charger, { action, payload });
}

function missingConnectors({ reported, connection }: Charger): readonly (number | undefined)[] {
  const isReported = (order: number | undefined): boolean => order !== undefined && order >= connection.position[0];
  // No connectorId is for all of them and the charger itself (OCPP 1.6, 5.17): 0 is none that may be asked for (6.51).
  const ownMissing = isReported(reported.status?.position[0]) ? [] : [undefined];
  const item = reported.configuration.find(({ configName }) => configName === 'NumberOfConnectors');
  const count = Number(item?.configValue ?? Number.NaN);
  if (!Number.isInteger(count) || count < 1 || count > MAX_CONNECTORS) {
    const any = Object.values(reported.sockets).some((socket) => isReported(socket.position[0]));
    return any ? [] : [undefined];
  }
  const missing = Array.from({ length: count }, (_, i) => i + 1).filter(
    (id) => !isReported(reported.sockets[String(id)]?.position[0]),
  );
  return [...ownMissing, ...missing];
}
