import { namesOf, parseWebhookSearch, parseWebhooksSearch } from './webhooks-search';

describe('the address of webhooks', () => {
  it.each([
    [
      { page: 2, outcome: 'refused', parked: 3 },
      { page: 2, outcome: 'refused', parked: 3 },
    ],
    [{ page: 1, outcome: 'lost' }, {}],
    [{ page: 1.5, parked: 1 }, {}],
    [{ page: '2' }, {}],
  ])('takes what is valid of %j', (raw, expected) => {
    expect(parseWebhookSearch(raw)).toEqual(expected);
  });

  it('has no outcome in the list of webhooks', () => {
    expect(parseWebhooksSearch({ page: 3, outcome: 'refused' })).toEqual({ page: 3 });
  });
});

describe('namesOf', () => {
  it.each([
    ['session.*, tag.checked', ['session.*', 'tag.checked']],
    ['CP1\nCP2  CP3,', ['CP1', 'CP2', 'CP3']],
    [' , ', undefined],
  ])('splits %j', (text, expected) => {
    expect(namesOf(text)).toEqual(expected);
  });
});
