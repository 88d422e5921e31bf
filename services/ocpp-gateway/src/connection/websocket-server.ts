import { WebSocketServer } from 'ws';
import { CLOSE_TIMEOUT_MS } from './close';

/** Smaller frames gain nothing from compression. */
const DEFLATE_FROM_BYTES = 1024;

/** The server that completes handshakes and reads frames, with a limit on everything a peer may send. */
export function createWebSocketServer(maxFrameBytes: number): WebSocketServer {
  const options = {
    noServer: true,
    clientTracking: false,
    // Applies to the inflated frame (rules 19 and 22): beyond it the socket closes with 1009.
    maxPayload: maxFrameBytes,
    // Very small fragments cost more than their bytes: beyond these limits the socket closes with 1008.
    maxFragments: 4_096,
    maxBufferedChunks: 8_192,
    perMessageDeflate: {
      threshold: DEFLATE_FROM_BYTES,
      // A window kept between frames would take kilobytes for each of very many idle sockets.
      serverNoContextTakeover: true,
      clientNoContextTakeover: true,
      concurrencyLimit: 4,
    },
    // A charger that sends a close frame and leaves TCP open would by default be shown connected for 30 s. The type of ws
    // lacks this option.
    closeTimeout: CLOSE_TIMEOUT_MS,
  };
  return new WebSocketServer(options);
}
