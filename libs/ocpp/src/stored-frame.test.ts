import fc from 'fast-check';
import { compactFrame, storedFrame, MAX_KEPT_BYTES, oversize } from './stored-frame';

const call = (data: string): string =>
  `[2, "1",\t"DataTransfer",\n{ "vendorId" : "X", "data": ${JSON.stringify(data)} }]`;

describe('a stored frame', () => {
  it('is unchanged up to 16 KiB, white space included', () => {
    const frame = call('a'.repeat(MAX_KEPT_BYTES - call('').length));
    expect(Buffer.byteLength(frame)).toBe(MAX_KEPT_BYTES);
    expect(storedFrame(frame)).toEqual({ text: frame });
  });

  it('has no insignificant white space above 16 KiB, and its original length beside it', () => {
    const frame = `[2,"1","Heartbeat",{${' '.repeat(100_000)}}]`;
    expect(storedFrame(frame)).toEqual({ text: '[2,"1","Heartbeat",{}]', bytes: frame.length });
  });

  it('is cut between characters at 16 KiB', () => {
    for (const character of ['a', 'é', '€', '😀']) {
      for (const shift of ['', 'a', 'aa', 'aaa']) {
        const frame = call(shift + character.repeat(MAX_KEPT_BYTES));
        const { text, bytes } = storedFrame(frame);
        expect(bytes).toBe(Buffer.byteLength(frame));
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_KEPT_BYTES);
        expect(Buffer.byteLength(text)).toBeGreaterThan(MAX_KEPT_BYTES - 4);
        expect(compactFrame(frame).startsWith(text)).toBe(true);
        expect(text).not.toContain('\uFFFD');
      }
    }
  });

  it('keeps the digits of numbers', () => {
    const frame = `[2,"1","MeterValues",{ "transactionId": 12345678901234567890, "value": 8.10${' '.repeat(20_000)}}]`;
    expect(storedFrame(frame).text).toBe('[2,"1","MeterValues",{"transactionId":12345678901234567890,"value":8.10}]');
  });

  it('is equal JSON without its white space', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, '\t', ' \r\n'), (value, space) => {
        const spaced = JSON.stringify(value, null, typeof space === 'string' ? space.slice(0, 1) : space);
        expect(compactFrame(spaced)).toBe(JSON.stringify(value));
      }),
      { numRuns: 1_000 },
    );
  });

  it('uses a known length', () => {
    expect(storedFrame('[3,"1",{}]', 200_000)).toEqual({ text: '[3,"1",{}]', bytes: 200_000 });
    expect(oversize('x'.repeat(MAX_KEPT_BYTES))).toBeUndefined();
    expect(oversize('x'.repeat(MAX_KEPT_BYTES + 1))).toBe(MAX_KEPT_BYTES + 1);
  });
});
