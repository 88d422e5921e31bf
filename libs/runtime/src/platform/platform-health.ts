// The checks of `/readyz` for the broker and the store of a process.
import type { HealthCheck } from '@busbar/http';

export const brokerHealth = healthOf('broker', 'connected');
export const storeHealth = healthOf('store', 'open');

/** `failing` says what does not work without it. `required` false: the process counts as ready without it. */
interface PartCheck {
  readonly required?: boolean;
  readonly failing: string;
}

function healthOf(name: string, works: string) {
  return (part: { ready(): boolean }, { required = true, failing }: PartCheck): HealthCheck => {
    const details = { ok: `The ${name} is ${works}.`, failing: `The ${name} is unavailable: ${failing}` };
    return { name, required, isOk: () => part.ready(), details };
  };
}
