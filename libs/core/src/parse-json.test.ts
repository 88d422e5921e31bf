import { parseJson } from './parse-json';

describe('the value of a JSON text', () => {
  it('is what the text says', () => {
    expect(parseJson('[1,{"a":null}]')).toEqual([1, { a: null }]);
    expect(parseJson('null')).toBeNull();
  });

  it('is undefined for any other text', () => {
    expect(['', '{', 'undefined', '{"a":1} more'].map(parseJson)).toEqual([undefined, undefined, undefined, undefined]);
  });
});
