import { webhookApiProcessSettings } from '@busbar/api';
import { consoleSettings } from './console/console-settings';

/** The settings of v2-api in a process of its own. */
export const aloneSettings = { ...webhookApiProcessSettings, ...consoleSettings };
