import { csvLine } from './csv';
import { csvRowsOf } from './csv-rows';

describe('rows of CSV', () => {
  it.each<[string, string, readonly (readonly string[])[]]>([
    ['no row of an empty file', '', []],
    [
      'rows with either line end',
      'a,b\r\n1,2\n3,4',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'empty fields',
      'a,,c\n,,d\n',
      [
        ['a', '', 'c'],
        ['', '', 'd'],
      ],
    ],
    ['quoted fields with separators, quotes and line ends', '"a,b","c ""d""","e\nf"\n', [['a,b', 'c "d"', 'e\nf']]],
    [
      'semicolons where the first line has no comma',
      'a;b\n1,5;2',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    ['no byte order mark', '\uFEFFa,b', [['a', 'b']]],
    ['no empty rows', 'a\n\n , \nb\n', [['a'], ['b']]],
    ['quotes inside a plain field', 'a"b,c', [['a"b', 'c']]],
  ])('are %s', (_, text, expected) => {
    expect(csvRowsOf(text)?.map(({ values }) => values)).toEqual(expected);
  });

  it('are what was written, also a text that looks like a formula', () => {
    const values = ['=1+1', '-5', 'a "b", c', "'quoted'", '', 'x\ny'];
    expect(csvRowsOf(csvLine(values))).toEqual([{ line: 1, values }]);
  });

  it('have the line that they begin at', () => {
    expect(csvRowsOf('a\n"b\nc"\n\nd')?.map(({ line }) => line)).toEqual([1, 2, 5]);
  });

  it.each(['"a', 'a\n"b,c\n', '"a"b,c'])('are not read where a quoted field is broken: %j', (text) => {
    expect(csvRowsOf(text)).toBeUndefined();
  });
});
