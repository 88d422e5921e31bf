// Lists the calls of an API by the document that it serves, which is built of its routes.
import { operationFinder, operationsOf, type DocumentedOperation } from '@busbar/http/testing';
import { http } from '../harness/http';
import type { RequestOf } from './parity';

interface Definition {
  readonly description?: string;
  readonly security?: readonly unknown[];
}

export type Operation = DocumentedOperation<Definition>;

/** Every call of the generation whose document this is. */
export async function documentedCalls(documentUrl: string): Promise<readonly Operation[]> {
  const document = (await http(documentUrl)).json as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Definition>>>>;
  };
  return operationsOf(document);
}

/** `POST /api/charger/reboot/{chargerId}` */
export function titleOf({ method, template }: Operation): string {
  return `${method} ${template}`;
}

export function needsKey({ definition }: Operation): boolean {
  return definition.security?.length !== 0;
}

export function permissionOf({ definition }: Operation): string | undefined {
  return /Requires the permission `(\S+)`/.exec(definition.description ?? '')?.[1];
}

/** The call that a use case makes. Throws where the generation has no such call. */
export function operationFor<Named>(
  operations: readonly Operation[],
  basePath: string,
  [method, path]: RequestOf<Named>,
  named: Named,
): Operation {
  const target = `${basePath}${path(named)}`;
  const found = operationFinder(operations)(method, target);
  if (found === undefined) throw new Error(`there is no ${method} ${target}`);
  return found;
}
