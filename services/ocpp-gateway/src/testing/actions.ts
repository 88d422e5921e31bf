import { protocolOf } from '@busbar/ocpp';

/** The actions of OCPP 1.6 by who sends them, in the order of the alphabet. DataTransfer is in both. */
export function ocpp16Actions(): { readonly fromChargers: string[]; readonly fromUs: string[] } {
  const actions = [...(protocolOf('ocpp1.6')?.actions.values() ?? [])];
  const named = (fits: (from: string) => boolean): string[] =>
    actions
      .filter(({ from }) => fits(from))
      .map(({ name }) => name)
      .sort();
  return { fromChargers: named((from) => from !== 'us'), fromUs: named((from) => from !== 'charger') };
}
