import { choice, omittedFromDocuments, path, text, type SettingsOf } from '@busbar/runtime';
import { TILES } from './content-policy';

const OCPP_URL = /^wss?:\/\/[^\s/?#]{1,253}\/[^\s?#]{0,500}$/;

/** The settings of the console, in v2-api and in the one-process mode. */
export const consoleSettings = {
  console: choice('CONSOLE', 'off: no web console at /console/, and no sign-in.', { of: ['on', 'off'], default: 'on' }),
  consoleOcppUrl: text(
    'CONSOLE_OCPP_URL',
    'The address that the console names for chargers, to which they append their id. Without it: `wss://HOST/ocpp/` with the host of the console.',
    {
      default: undefined,
      pattern: OCPP_URL,
      expects: 'a wss: or ws: URL with a path, such as wss://chargers.example.com/ocpp/',
    },
  ),
  consoleTilesUrl: text(
    'CONSOLE_TILES_URL',
    'The tiles of the map of sites in the console. Without it there is no map. Every reader of the console can see this URL.',
    {
      default: undefined,
      pattern: TILES,
      expects: 'an https: URL with {z}, {x} and {y}, such as https://tiles.example.com/{z}/{x}/{y}.png',
    },
  ),
  consoleTilesAttribution: text(
    'CONSOLE_TILES_ATTRIBUTION',
    'Whom the map of sites names as the origin of its tiles, as their provider demands. Plain text.',
    {
      default: '© OpenStreetMap contributors',
      pattern: /^[^\p{Cc}]{1,200}$/u,
      expects: '1 to 200 characters',
    },
  ),
  consoleDirectory: omittedFromDocuments(
    path('CONSOLE_DIRECTORY', 'The built files of the console, for tests and trials.'),
  ),
};

export type ConsoleSettings = SettingsOf<typeof consoleSettings>;
