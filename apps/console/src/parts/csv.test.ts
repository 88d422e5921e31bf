import { csvLine } from './csv';

describe('a line of CSV', () => {
  it.each([
    [['a', 1, true, null], 'a,1,true,\r\n'],
    [['a "b", c', 'd\ne'], '"a ""b"", c","d\ne"\r\n'],
    [['=1+1', '+1', '-1', '@x', '\tx'], "'=1+1,'+1,'-1,'@x,'\tx\r\n"],
    [[-5], '-5\r\n'],
    [['=HYPERLINK("x")'], '"\'=HYPERLINK(""x"")"\r\n'],
  ])('of %j quotes what needs it, and disarms formulas', (values, line) => {
    expect(csvLine(values)).toBe(line);
  });
});
