// More clients than the one that a world begins with.
import { newClient } from '@busbar/testing';
import type { World } from './world';

/** The same network as another client sees it. */
export async function asNewClient(world: World, name: string): Promise<World> {
  return { ...world, ...(await newClient(world.storeUrl, name)) };
}
