// The address that a charger is configured with.
import { useConsoleConfig } from '../api/console-config';
import { Copyable } from './copy';
import { Skeleton } from './notes';

/** Without an id only its beginning. Where the settings could not be read, the host of the console is the likely one. */
export function OcppAddress({ chargerId = '' }: { readonly chargerId?: string }) {
  const { data, isPending } = useConsoleConfig();
  if (isPending) return <Skeleton />;
  const beginning = data?.ocppUrl ?? `wss://${location.host}/ocpp/`;
  const separator = beginning.endsWith('/') ? '' : '/';
  return <Copyable text={`${beginning}${separator}${encodeURIComponent(chargerId)}`} />;
}
