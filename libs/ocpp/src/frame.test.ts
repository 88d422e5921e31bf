import { parseFrame, serializeCall, serializeError, serializeResult, type Frame } from './frame';
import { RPC_21 } from './rpc-rules';

const ref = { id: 'a1', numericId: false };

describe('parseFrame', () => {
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
    '31. finds no id to answer in %s',
    (text) => {
      expect(parseFrame(text)).toEqual({ type: 'unreadable', situation: 'malformed_frame' });
    },
  );

  it.each([['[2,true,"A",{}]'], ['[2,null,"A",{}]'], ['[2,{},"A",{}]'], ['[2,["a"],"A",{}]']])(
    '31. finds no readable id in %s',
    (text) => {
      expect(parseFrame(text)).toEqual({ type: 'unreadable', situation: 'malformed_frame' });
    },
  );

  it.each([['[2,"a1"]'], ['[2,"a1","A"]'], ['[2,"a1","A",{},1]'], ['[2,"a1",7,{}]'], ['[2,"a1",null,{}]']])(
    '31. finds the id to answer in the malformed frame %s',
    (text) => {
      expect(parseFrame(text)).toEqual({ type: 'unreadable', situation: 'malformed_frame', replyTo: ref });
    },
  );

  it('29. accepts an id of 36 characters', () => {
    const id = 'x'.repeat(36);
    expect(parseFrame(`[2,"${id}","Heartbeat",{}]`)).toMatchObject({ type: 'call', id, deviations: [] });
  });

  it('29. tolerates an id of 255 characters and echoes it whole', () => {
    const id = 'x'.repeat(255);
    const call = callOf(parseFrame(`[2,"${id}","Heartbeat",{}]`));
    expect(call.deviations).toEqual(['long_message_id']);
    expect(serializeResult(call, {})).toBe(`[3,"${id}",{}]`);
  });

  it('29. refuses an id of 256 characters', () => {
    expect(parseFrame(`[2,"${'x'.repeat(256)}","Heartbeat",{}]`)).toMatchObject({ situation: 'malformed_frame' });
  });

  it('29. refuses an empty id with an answer', () => {
    expect(parseFrame('[2,"","Heartbeat",{}]')).toEqual({
      type: 'unreadable',
      situation: 'malformed_frame',
      replyTo: { id: '', numericId: false },
    });
  });

  it.each([['17'], ['-1'], ['1.0'], ['12345678901234567890'], ['1e3']])(
    '29. echoes the numeric id %s unchanged, and counts it',
    (id) => {
      const call = callOf(parseFrame(` [ 2 , ${id} , "Heartbeat", {}]`));
      expect(call.deviations).toEqual(['numeric_message_id']);
      expect(call.id).toBe(id);
      expect(serializeResult(call, {})).toBe(`[3,${id},{}]`);
      expect(serializeError(call, 'InternalError')).toBe(`[4,${id},"InternalError","",{}]`);
    },
  );

  it.each([
    ['[5,"a1",{}]', 5],
    ['[6,"a1","A",{}]', 6],
    ['[99]', 99],
    ['[-1.5]', -1.5],
  ])('33. reads an unknown message type in %s', (text, messageType) => {
    expect(parseFrame(text)).toMatchObject({ type: 'unknown_type', messageType });
  });

  it('34. reads a CALLRESULT whatever its id', () => {
    expect(parseFrame('[3,"zz",{"a":1}]')).toEqual({ type: 'result', id: 'zz', payload: { a: 1 } });
  });

  it('35. reads no payload from a CALLRESULT of another length than three', () => {
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
  ])('36. reads %s as a failure', (text, code, description) => {
    expect(parseFrame(text)).toEqual({ type: 'error', id: 'a1', code, description });
  });

  it('36. cuts the texts of a CALLERROR at their limits', () => {
    const frame = parseFrame(JSON.stringify([4, 'a1', 'C'.repeat(10_000), 'D'.repeat(10_000), {}]));
    expect(frame).toEqual({ type: 'error', id: 'a1', code: 'C'.repeat(64), description: 'D'.repeat(255) });
  });

  it('34. refuses an answer whose id is no text', () => {
    expect(parseFrame('[3,1,{}]').type).toBe('unreadable');
    expect(parseFrame('[4,1,"InternalError","",{}]').type).toBe('unreadable');
  });
});

describe('hostile frames', () => {
  const nested = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

  it('40. accepts 32 levels, and calls 33 malformed', () => {
    expect(parseFrame(`[2,"a1","DataTransfer",${nested(32)}]`).type).toBe('call');
    expect(parseFrame(`[2,"a1","DataTransfer",${nested(33)}]`)).toEqual({
      type: 'unreadable',
      situation: 'malformed_payload',
      replyTo: ref,
    });
  });

  it('40. answers a hundred thousand levels', () => {
    const text = `[2,"a1","DataTransfer",${'['.repeat(100_000)}${']'.repeat(100_000)}]`;
    expect(parseFrame(text)).toMatchObject({ type: 'unreadable', situation: 'malformed_payload' });
    expect(parseFrame('['.repeat(200_000)).type).toBe('unreadable');
    expect(parseFrame(`[3,"a1",${nested(50_000)}]`)).toEqual({ type: 'result', id: 'a1', payload: undefined });
  });

  it('40. echoes lone surrogates and NUL in an id as equal JSON', () => {
    for (const id of ['\\ud800', '\\udfff x', '\\u0000']) {
      const call = callOf(parseFrame(`[2,"${id}","Heartbeat",{}]`));
      expect(JSON.parse(serializeResult(call, {}))).toEqual([3, JSON.parse(`"${id}"`), {}]);
    }
  });
});

describe('serializing a frame', () => {
  it('writes a CALL', () => {
    expect(serializeCall('1', 'Reset', { type: 'Soft' })).toBe('[2,"1","Reset",{"type":"Soft"}]');
  });

  it('cuts the description of an error at 255 characters and always writes an object of details', () => {
    const parts = JSON.parse(serializeError(ref, 'InternalError', 'x'.repeat(300))) as unknown[];
    expect(parts).toEqual([4, 'a1', 'InternalError', 'x'.repeat(255), {}]);
  });
});

function callOf(frame: Frame): Extract<Frame, { type: 'call' }> {
  if (frame.type !== 'call') throw new Error(`not a CALL: ${frame.type}`);
  return frame;
}

it.each([
  ['["2,7",1.50,"Heartbeat",{}]', '1.50'],
  ['["a \\" , 7",-1,"Heartbeat",{}]', '-1'],
  ['[ null , 1e3,"Heartbeat",{}]', '1e3'],
  ['[[2,7],5,"Heartbeat",{}]', '5'],
  ['[{"a":1,"b":2},5]', '5'],
])('110. answers the unreadable frame %s under its own id', (text, id) => {
  expect(parseFrame(text, RPC_21)).toMatchObject({ type: 'unreadable', replyTo: { id, numericId: true } });
});

it('110. has no id where a number that JavaScript cannot hold follows a list', () => {
  expect(parseFrame('[[2,7],1e999]', RPC_21)).toEqual(parseFrame('[[2,7]]', RPC_21));
  expect(parseFrame('[99,1e999]', RPC_21)).toMatchObject({ replyTo: { id: '1e999' } });
});
