// A screen whose part of the program is loaded when it is first opened.
import { lazyRouteComponent } from '@tanstack/react-router';
import { send } from '../api/client';
import { unreadableResponse } from '../api/problem';

/**
 * A component for a route. Where its part is missing, as after an update of the service, the router reloads the whole page. Where the
 * service does not respond there would be no page then: that is thrown as the `Failure` of a request, and the screen can try again.
 */
export function lazyScreen<Part extends Record<string, unknown>, Name extends keyof Part>(
  load: () => Promise<Part>,
  name: Name,
) {
  return lazyRouteComponent(() => loadPart(load), name);
}

async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    const response = await send('/console/', { method: 'HEAD', cache: 'no-store' });
    if (!response.ok) throw unreadableResponse(response);
    throw error;
  }
}
