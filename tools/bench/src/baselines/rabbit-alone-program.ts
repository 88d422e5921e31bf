import { serveCommands } from '../processes/commands';
import { runRabbitAlone, type RabbitAloneInput, type RabbitAloneResult } from './rabbit-alone';

export interface RabbitAloneCommands {
  readonly run: (input: RabbitAloneInput) => Promise<RabbitAloneResult>;
}

const commands: RabbitAloneCommands = { run: runRabbitAlone };

serveCommands(commands);
