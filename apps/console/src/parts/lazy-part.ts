// Parts of the program that are loaded when they are first shown: screens, tabs, large dialogs.
import { lazyRouteComponent } from '@tanstack/react-router';
import { send } from '../api/client';
import { unreadableResponse } from '../api/problem';

/** Load anew what could not be loaded. */
const failed = new Set<() => unknown>();

/**
 * A component of a route, or below a `Suspense`. Where its part is missing, as after an update of the service, the whole page is reloaded.
 * Where the service does not respond there would be no page then: that is thrown as the `Failure` of a request, each time that the component
 * is shown until `loadFailedParts`.
 */
export function lazyPart<Part extends Record<string, unknown>, Name extends keyof Part>(
  load: () => Promise<Part>,
  name: Name,
) {
  const again = (): unknown => (component as { readonly preload?: () => unknown }).preload?.();
  const component = lazyRouteComponent(() => loadPart(load, again), name);
  return component;
}

/** When the reader tries again: parts that could not be loaded are loaded anew. */
export function loadFailedParts(): void {
  const again = [...failed];
  failed.clear();
  for (const load of again) load();
}

async function loadPart<Part>(load: () => Promise<Part>, again: () => unknown): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    failed.add(again);
    const response = await send('/console/', { method: 'HEAD', cache: 'no-store' });
    if (!response.ok) throw unreadableResponse(response);
    throw error;
  }
}
