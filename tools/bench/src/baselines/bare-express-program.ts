import { createLogger } from '@busbar/runtime';
import { serveCommands } from '../processes/commands';
import { startBareExpress, type BareExpressInput } from './bare-express';

export interface BareExpressCommands {
  readonly start: (input: BareExpressInput) => Promise<number>;
}

const logger = createLogger({ name: 'bare-express', level: 'info' });
const commands: BareExpressCommands = { start: (input) => startBareExpress(input, logger) };

serveCommands(commands);
