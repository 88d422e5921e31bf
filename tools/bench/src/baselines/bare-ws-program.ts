import { serveCommands } from '../processes/commands';
import { startBareWsServer } from './bare-ws-server';

export interface BareWsCommands {
  readonly start: (input: null) => Promise<number>;
}

const commands: BareWsCommands = { start: async () => (await startBareWsServer()).port };

serveCommands(commands);
