// Decides on `activeConnection`: a newer position wins.
import type { ReportEnvelope } from '@busbar/contracts';
import type { Charger, ReplacedConnection } from '@busbar/domain/chargers';
import { isAfter } from './contract';

/** Beyond this limit the oldest is dropped. */
const MAX_REPLACED = 8;

/**
 * A socket opened, or its gateway reports it again. Only a greater position changes the record. Under a dead gateway's id
 * the connection is stored as not active: that gateway lost its lease, and reports its sockets under a new id. Connections
 * of dead gateways need not be closed.
 */
export function foldConnected(
  charger: Charger,
  report: ReportEnvelope,
  isDeadGateway: (gatewayId: string) => boolean,
): Charger {
  const before = charger.connection;
  const gatewayIsDead = isDeadGateway(report.gatewayId);
  if (!isAfter([report.order, report.seq], before.position)) return charger;
  const isNewer = report.order > before.position[0];
  return {
    ...charger,
    connection: {
      active: !gatewayIsDead,
      gatewayId: report.gatewayId,
      connectionId: report.connectionId,
      ocppVersion: report.ocppVersion,
      since: gatewayIsDead ? null : isNewer ? report.receivedAt : (before.since ?? report.receivedAt),
      position: [report.order, report.seq],
      replaced: without(isNewer ? replacedBy(charger) : before.replaced, ({ gatewayId }) => isDeadGateway(gatewayId)),
    },
  };
}

/**
 * A late close of a replaced connection only removes it from those to close. The close of the newest connection leaves the
 * replaced ones to be closed.
 */
export function foldDisconnected(charger: Charger, report: ReportEnvelope): Charger {
  const before = charger.connection;
  if (report.order < before.position[0]) return withoutReplaced(charger, report.order);
  if (report.order !== before.position[0] || !isAfter([report.order, report.seq], before.position)) return charger;
  return {
    ...charger,
    connection: { ...before, active: false, since: null, position: [report.order, report.seq] },
  };
}

function replacedBy({ connection }: Charger): readonly ReplacedConnection[] | null {
  const { active, gatewayId, connectionId, position, replaced } = connection;
  if (!active || gatewayId === null || connectionId === null) return replaced;
  return [...(replaced ?? []), { gatewayId, connectionId, order: position[0] }].slice(-MAX_REPLACED);
}

function withoutReplaced(charger: Charger, order: number): Charger {
  const replaced = without(charger.connection.replaced, (each) => each.order === order);
  if (replaced === charger.connection.replaced) return charger;
  return { ...charger, connection: { ...charger.connection, replaced } };
}

/** The same list where nothing is removed. */
function without(
  replaced: readonly ReplacedConnection[] | null,
  goes: (each: ReplacedConnection) => boolean,
): readonly ReplacedConnection[] | null {
  if (!replaced?.some(goes)) return replaced;
  const left = replaced.filter((each) => !goes(each));
  return left.length === 0 ? null : left;
}
