import type { Site, SiteNode } from '@busbar/domain/sites';
import { presentChargers } from './present-charger';

/** A group without its content. */
export function presentGroup(site: Site) {
  return {
    ...presentName(site),
    ...(site.parentSiteId === null ? {} : { parentGroupId: site.parentSiteId }),
  };
}

export type PresentedNode = ReturnType<typeof presentName> & {
  readonly onlineSocket: number;
  readonly offlineSocket: number;
  readonly errorSocket: number;
  readonly chargers: ReturnType<typeof presentChargers>;
  readonly subgroups: readonly PresentedNode[];
};

/** A group with its chargers and subgroups. */
export function presentNode({ site, sockets, chargers, subsites }: SiteNode): PresentedNode {
  return {
    ...presentName(site),
    onlineSocket: sockets.online,
    offlineSocket: sockets.offline,
    errorSocket: sockets.error,
    chargers: presentChargers(chargers),
    subgroups: subsites.map(presentNode),
  };
}

function presentName({ siteId, name, groupType, externalId }: Site) {
  return { id: siteId, name, groupType, externalId: externalId ?? '' };
}
