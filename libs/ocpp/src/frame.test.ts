import { parseFrame, serialiseCall, serialiseError, serialiseResult, type Frame } from './frame';

const ref = { id: 'a1', numericId: false };

describe('reading a frame', () => {
  it('reads a CALL', () => {
    expect(parseFrame('[2,"a1","Heartbeat",{}]')).toEqual({
      type: 'call',
      id: 'a1',
      numericId: false,
      action: 'Heartbeat',
      payload: {},
      deviations: [],
    });
  });

  it.each([['{}'], ['"x"'], ['[]'], ['[2]'], ['null'], ['2'], [''], ['[2,"id","A",{'], ['["2","id","A",{}]']])(
    '31. %s is unreadable, and there is no id to answer',
    (text) => {
      expect(parseFrame(text)).toEqual({ type: 'unreadable', situation: 'malformed_frame' });
    },
  );

  it.each([['[2,true,"A",{}]'], ['[2,null,"A",{}]'], ['[2,{},"A",{}]'], ['[2,["a"],"A",{}]']])(
    '31. the id of %s is unreadable',
    (text) => {
      expect(parseFrame(text)).toEqual({ type: 'unreadable', situation: 'malformed_frame' });
    },
  );

  it.each([['[2,"a1"]'], ['[2,"a1","A"]'], ['[2,"a1","A",{},1]'], ['[2,"a1",7,{}]'], ['[2,"a1",null,{}]']])(
    '31. %s is malformed, and its id can be answered',
    (text) => {
      expect(parseFrame(text)).toEqual({ type: 'unreadable', situation: 'malformed_frame', replyTo: ref });
    },
  );

  it('29. an id of 36 characters is fine', () => {
    const id = 'x'.repeat(36);
    expect(parseFrame(`[2,"${id}","Heartbeat",{}]`)).toMatchObject({ type: 'call', id, deviations: [] });
  });

  it('29. an id of 255 characters is tolerated and echoed whole', () => {
    const id = 'x'.repeat(255);
    const call = callOf(parseFrame(`[2,"${id}","Heartbeat",{}]`));
    expect(call.deviations).toEqual(['long_message_id']);
    expect(serialiseResult(call, {})).toBe(`[3,"${id}",{}]`);
  });

  it('29. an id of 256 characters is malformed', () => {
    expect(parseFrame(`[2,"${'x'.repeat(256)}","Heartbeat",{}]`)).toMatchObject({ situation: 'malformed_frame' });
  });

  it('29. an empty id is malformed and can be answered', () => {
    expect(parseFrame('[2,"","Heartbeat",{}]')).toEqual({
      type: 'unreadable',
      situation: 'malformed_frame',
      replyTo: { id: '', numericId: false },
    });
  });

  it.each([['17'], ['-1'], ['1.0'], ['12345678901234567890'], ['1e3']])(
    '29. the numeric id %s is echoed as it came, and counted',
    (id) => {
      const call = callOf(parseFrame(` [ 2 , ${id} , "Heartbeat", {}]`));
      expect(call.deviations).toEqual(['numeric_message_id']);
      expect(call.id).toBe(id);
      expect(serialiseResult(call, {})).toBe(`[3,${id},{}]`);
      expect(serialiseError(call, 'InternalError')).toBe(`[4,${id},"InternalError","",{}]`);
    },
  );

  it.each([
    ['[5,"a1",{}]', 5],
    ['[6,"a1","A",{}]', 6],
    ['[99]', 99],
    ['[-1.5]', -1.5],
  ])('33. %s has a message type that we do not know', (text, messageType) => {
    expect(parseFrame(text)).toMatchObject({ type: 'unknown_type', messageType });
  });

  it('34. reads a CALLRESULT whatever its id', () => {
    expect(parseFrame('[3,"zz",{"a":1}]')).toEqual({ type: 'result', id: 'zz', payload: { a: 1 } });
  });

  it('35. a CALLRESULT of another length than three has no payload', () => {
    expect(parseFrame('[3,"a1"]')).toEqual({ type: 'result', id: 'a1', payload: undefined });
    expect(parseFrame('[3,"a1",{},{}]')).toEqual({ type: 'result', id: 'a1', payload: undefined });
  });

  it.each([
    ['[4,"a1"]', 'GenericError', ''],
    ['[4,"a1",null,null,null]', 'GenericError', ''],
    ['[4,"a1",""]', 'GenericError', ''],
    ['[4,"a1","InternalError"]', 'InternalError', ''],
    ['[4,"a1","Mine","why",null]', 'Mine', 'why'],
    ['[4,"a1",["x"],{"y":1},"z"]', 'GenericError', ''],
  ])('36. %s is taken as a failure', (text, code, description) => {
    expect(parseFrame(text)).toEqual({ type: 'error', id: 'a1', code, description });
  });

  it('36. a CALLERROR cannot make us keep more than its limits', () => {
    const frame = parseFrame(JSON.stringify([4, 'a1', 'C'.repeat(10_000), 'D'.repeat(10_000), {}]));
    expect(frame).toEqual({ type: 'error', id: 'a1', code: 'C'.repeat(64), description: 'D'.repeat(255) });
  });

  it('34. an answer whose id is no string matches nothing', () => {
    expect(parseFrame('[3,1,{}]').type).toBe('unreadable');
    expect(parseFrame('[4,1,"InternalError","",{}]').type).toBe('unreadable');
  });
});

describe('hostile frames', () => {
  const nested = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

  it('40. a payload nested 32 deep passes and one of 33 is malformed', () => {
    expect(parseFrame(`[2,"a1","DataTransfer",${nested(32)}]`).type).toBe('call');
    expect(parseFrame(`[2,"a1","DataTransfer",${nested(33)}]`)).toEqual({
      type: 'unreadable',
      situation: 'malformed_payload',
      replyTo: ref,
    });
  });

  it('40. a hundred thousand levels end in an answer, not in a crash', () => {
    const text = `[2,"a1","DataTransfer",${'['.repeat(100_000)}${']'.repeat(100_000)}]`;
    expect(parseFrame(text)).toMatchObject({ type: 'unreadable', situation: 'malformed_payload' });
    expect(parseFrame('['.repeat(200_000)).type).toBe('unreadable');
    expect(parseFrame(`[3,"a1",${nested(50_000)}]`)).toEqual({ type: 'result', id: 'a1', payload: undefined });
  });

  it('40. lone surrogates and NUL in an id come back as JSON that says the same', () => {
    for (const id of ['\\ud800', '\\udfff x', '\\u0000']) {
      const call = callOf(parseFrame(`[2,"${id}","Heartbeat",{}]`));
      expect(JSON.parse(serialiseResult(call, {}))).toEqual([3, JSON.parse(`"${id}"`), {}]);
    }
  });
});

describe('writing a frame', () => {
  it('writes a CALL', () => {
    expect(serialiseCall('1', 'Reset', { type: 'Soft' })).toBe('[2,"1","Reset",{"type":"Soft"}]');
  });

  it('cuts the description of an error at 255 characters and always writes an object of details', () => {
    const parts = JSON.parse(serialiseError(ref, 'InternalError', 'x'.repeat(300))) as unknown[];
    expect(parts).toEqual([4, 'a1', 'InternalError', 'x'.repeat(255), {}]);
  });
});

function callOf(frame: Frame): Extract<Frame, { type: 'call' }> {
  if (frame.type !== 'call') throw new Error(`not a CALL: ${frame.type}`);
  return frame;
}
