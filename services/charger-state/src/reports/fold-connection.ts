// The truth of `activeConnection`: who is newer is a matter of position alone.
import type { ReportEnvelope } from '@busbar/contracts';
import type { Charger } from '@busbar/domain';
import { isAfter } from '../handlers/handler';

/**
 * A socket opened, or its gateway says again that it is open. Only a greater position changes anything. Under a dead
 * gateway's id it is stored as not active: that gateway lost its lease, and will say so again under a new id if it lives.
 */
export function foldConnected(charger: Charger, report: ReportEnvelope, gatewayIsDead: boolean): Charger {
  const before = charger.connection;
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
      replaced: isNewer ? openBefore(charger) : before.replaced,
    },
  };
}

/** A late close of a connection that a newer one replaced changes nothing. */
export function foldDisconnected(charger: Charger, report: ReportEnvelope): Charger {
  const before = charger.connection;
  if (report.order !== before.position[0] || !isAfter([report.order, report.seq], before.position)) return charger;
  return {
    ...charger,
    connection: { ...before, active: false, since: null, position: [report.order, report.seq], replaced: null },
  };
}

function openBefore({ connection }: Charger): Charger['connection']['replaced'] {
  const { active, gatewayId, connectionId } = connection;
  return active && gatewayId !== null && connectionId !== null ? { gatewayId, connectionId } : null;
}
