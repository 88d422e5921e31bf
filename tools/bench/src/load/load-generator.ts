// The process that makes the load, apart from everything that is measured.
import { serveCommands } from '../processes/commands';
import type { ChargerSocket } from './charger-socket';
import { runPacedLoad, type PaceInput } from './company';
import { runFeedReader, runStreamLoad, type FeedInput, type FeedResult, type StreamInput } from './feed-load';
import { openFleet, type Opened, type OpenInput } from './fleet';
import { runHttpsLoad, type HttpsInput, type HttpsResult } from './https-load';
import { runRateLoad, type RateInput, type RateResult } from './rate-load';
import type { ProbeResult } from './probe-load';
import { runReadableLoad, type ReadableInput } from './readable-load';

export interface LoadCommands {
  /** Opens sockets and keeps them beside those that are open. */
  readonly open: (input: OpenInput) => Promise<Opened>;
  /** Load on all sockets. */
  readonly rate: (input: RateInput) => Promise<RateResult>;
  readonly readable: (input: ReadableInput) => Promise<ProbeResult>;
  /** Statuses of all chargers at an even pace. Gives the number that could not be sent in time. */
  readonly paced: (input: PaceInput) => Promise<number>;
  /** Reads the feed of events by page. */
  readonly feed: (input: FeedInput) => Promise<FeedResult>;
  readonly stream: (input: StreamInput) => Promise<ProbeResult>;
  readonly https: (input: HttpsInput) => Promise<HttpsResult>;
  /** Returns the number of connections that are still open. */
  readonly countOpen: (input: null) => Promise<number>;
  /** Cuts all sockets at once. */
  readonly cut: (input: null) => Promise<null>;
}

const sockets: ChargerSocket[] = [];

const commands: LoadCommands = {
  async open(input) {
    const { opened, sockets: more } = await openFleet(input);
    sockets.push(...more);
    return opened;
  },
  rate: (input) => runRateLoad(sockets, input),
  readable: (input) => runReadableLoad(sockets, input),
  paced: (input) => runPacedLoad(sockets, input),
  feed: runFeedReader,
  stream: (input) => runStreamLoad(sockets, input),
  https: runHttpsLoad,
  countOpen: () => Promise.resolve(sockets.filter((socket) => socket.isOpen()).length),
  cut() {
    for (const socket of sockets.splice(0)) socket.destroy();
    return Promise.resolve(null);
  },
};

serveCommands(commands);
