// What `/readyz` says about the broker and the store of a process.
import type { HealthCheck } from '@busbar/http';

interface Part {
  ready(): boolean;
}

/** `failing` says what stands still without it. `required` false: the process counts as ready without it. */
interface PartCheck {
  readonly required?: boolean;
  readonly failing: string;
}

export function brokerHealth(broker: Part, { required = true, failing }: PartCheck): HealthCheck {
  const details = { ok: 'The broker is connected.', failing: `The broker is unavailable: ${failing}` };
  return { name: 'broker', required, isOk: () => broker.ready(), details };
}

export function storeHealth(store: Part, { required = true, failing }: PartCheck): HealthCheck {
  const details = { ok: 'The store is open.', failing: `The store is unavailable: ${failing}` };
  return { name: 'store', required, isOk: () => store.ready(), details };
}
