// Which calls a generation has, as the document that it serves itself says: it is built of the routes that answer.
import { http } from '../harness/http';
import type { Wording } from './parity';

export interface Operation {
  /** `POST /api/charger/reboot/{chargerId}` */
  readonly title: string;
  readonly method: string;
  readonly path: RegExp;
  readonly literalParts: number;
  readonly needsKey: boolean;
  readonly permission: string | undefined;
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly description?: string; readonly security?: readonly unknown[] }>>>
  >;
}

/** Every call of the generation whose document this is, the most literal paths first. */
export async function operationsOf(documentUrl: string): Promise<Operation[]> {
  const { paths } = (await http(documentUrl)).json as Document;
  const operations = Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([name, { description = '', security }]): Operation => {
      const method = name.toUpperCase();
      return {
        title: `${method} ${template}`,
        method,
        path: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
        literalParts: template.split('/').filter((part) => !part.startsWith('{')).length,
        needsKey: security?.length !== 0,
        permission: /Needs the permission `(\S+)`/.exec(description)?.[1],
      };
    }),
  );
  return operations.sort((a, b) => b.literalParts - a.literalParts);
}

/** The call that a use case makes. Throws where the generation has no such call. */
export function operationFor<Named>(
  operations: readonly Operation[],
  basePath: string,
  [method, path]: Wording<Named>,
  named: Named,
): Operation {
  const target = `${basePath}${path(named).split('?')[0] ?? ''}`;
  const found = operations.find((operation) => operation.method === method && operation.path.test(target));
  if (found === undefined) throw new Error(`there is no ${method} ${target}`);
  return found;
}
