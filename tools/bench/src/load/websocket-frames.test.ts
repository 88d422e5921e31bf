import { createFrameReader } from './websocket-frames';

/** An unmasked frame, as RFC 6455 clause 5.2 has it. */
function serverFrame(opcode: number, text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(payload.length < 126 ? 2 : payload.length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = head.length === 2 ? payload.length : head.length === 4 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(payload.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}

describe('frames from a server', () => {
  it('reads them wherever the bytes are cut', () => {
    const texts = ['', 'a', 'é'.repeat(100), 'x'.repeat(70_000)];
    const bytes = Buffer.concat([
      ...texts.map((text) => serverFrame(1, text)),
      serverFrame(9, 'beat'),
      serverFrame(8, ''),
    ]);
    for (const size of [1, 3, 1000, bytes.length]) {
      const read: string[] = [];
      const reader = createFrameReader({
        onText: (text) => read.push(text),
        onPing: (payload) => read.push(`ping ${payload.toString()}`),
        onClose: () => read.push('close'),
      });
      for (let from = 0; from < bytes.length; from += size) reader.read(bytes.subarray(from, from + size));
      expect(read).toEqual([...texts, 'ping beat', 'close']);
    }
  });

  it('throws for one that is larger than any answer, or of another kind', () => {
    const reader = createFrameReader({ onText: () => {}, onPing: () => {}, onClose: () => {} });
    expect(() => reader.read(Buffer.from([0x82, 1, 0]))).toThrow('opcode 2');
    const huge = serverFrame(1, 'x'.repeat(70_000)).subarray(0, 10);
    huge.writeBigUInt64BE(2_000_000n, 2);
    expect(() => createFrameReader({ onText: () => {}, onPing: () => {}, onClose: () => {} }).read(huge)).toThrow(
      'bytes',
    );
  });
});
