// The little of RFC 6455 that a load generator needs: what it saves against a whole client is what the server under
// measurement gets of a shared machine.

export interface FrameReader {
  /** Bytes as they come. Throws for a frame that no server of ours sends. */
  read(chunk: Buffer): void;
}

export interface FrameHandlers {
  onText(text: string): void;
  onPing(payload: Buffer): void;
  onClose(): void;
}

const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const FINAL = 0x80;
const MASKED = 0x80;
const MAX_BYTES = 1_000_000;

/** A masked frame from a client. The mask is zero, which is as good as any to a server and saves the masking. */
export function clientFrame(text: string): Buffer {
  return frameOf(TEXT, Buffer.byteLength(text), (frame, at) => void frame.write(text, at, 'utf8'));
}

export function pongFrame(payload: Buffer): Buffer {
  return frameOf(PONG, payload.length, (frame, at) => void payload.copy(frame, at));
}

export function createFrameReader(handlers: FrameHandlers): FrameReader {
  /** The bytes of an incomplete frame, and how many complete its next part: joined once, not with each chunk. */
  let chunks: Buffer[] = [];
  let gathered = 0;
  let needed = 0;

  function take(bytes: Buffer, from: number): number {
    const head = headOf(bytes, from);
    if (head === undefined || from + head.size > bytes.length) return from;
    const end = from + head.size;
    const start = end - head.length;
    const opcode = (bytes[from] ?? 0) & 0x0f;
    if (opcode === TEXT) handlers.onText(bytes.toString('utf8', start, end));
    else if (opcode === PING) handlers.onPing(bytes.subarray(start, end));
    else if (opcode === CLOSE) handlers.onClose();
    else if (opcode !== PONG) throw new Error(`a frame with the opcode ${String(opcode)}`);
    return end;
  }

  return {
    read(chunk) {
      chunks.push(chunk);
      gathered += chunk.length;
      if (gathered < needed) return;
      const bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks);
      let from = 0;
      for (;;) {
        const next = take(bytes, from);
        if (next === from) break;
        from = next;
      }
      chunks = from === bytes.length ? [] : [bytes.subarray(from)];
      gathered = bytes.length - from;
      needed = headOf(bytes, from)?.size ?? gathered + 1;
    },
  };
}

/**
 * Returns the length of an unmasked, unfragmented frame with and without its head; undefined while the head is
 * incomplete.
 */
function headOf(bytes: Buffer, from: number): { size: number; length: number } | undefined {
  const available = bytes.length - from;
  if (available < 2) return undefined;
  const short = (bytes[from + 1] ?? 0) & 0x7f;
  if (short < 126) return { size: 2 + short, length: short };
  const headSize = short === 126 ? 4 : 10;
  if (available < headSize) return undefined;
  const length = short === 126 ? bytes.readUInt16BE(from + 2) : Number(bytes.readBigUInt64BE(from + 2));
  if (length > MAX_BYTES) throw new Error(`a frame of ${String(length)} bytes`);
  return { size: headSize + length, length };
}

function frameOf(opcode: number, length: number, write: (frame: Buffer, at: number) => void): Buffer {
  if (length > 0xffff) throw new Error(`a frame of ${String(length)} bytes is not for this client`);
  const headSize = length < 126 ? 6 : 8;
  const frame = Buffer.allocUnsafe(headSize + length);
  frame[0] = FINAL | opcode;
  if (length < 126) frame[1] = MASKED | length;
  else {
    frame[1] = MASKED | 126;
    frame.writeUInt16BE(length, 2);
  }
  frame.writeUInt32BE(0, headSize - 4);
  write(frame, headSize);
  return frame;
}
