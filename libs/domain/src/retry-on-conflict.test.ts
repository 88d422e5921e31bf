import { MAX_ATTEMPTS, retryOnConflict } from './retry-on-conflict';

describe('a change that others may win', () => {
  it.each([
    ['by its first attempt', 0],
    ['by the attempt after a lost one', 1],
    ['by its last attempt', MAX_ATTEMPTS - 1],
  ])('is made once, %s', async (_title, lost) => {
    const attempt = jest.fn().mockResolvedValue('done');
    for (let i = 0; i < lost; i += 1) attempt.mockResolvedValueOnce(undefined);
    await expect(retryOnConflict('Others won.', attempt)).resolves.toBe('done');
    expect(attempt).toHaveBeenCalledTimes(lost + 1);
  });

  it.each([[null], [false], [0], ['']])('is made where its result is %j', async (result) => {
    await expect(retryOnConflict('Others won.', () => Promise.resolve(result))).resolves.toBe(result);
  });

  it('is a conflict that may be retried when all its attempts are lost', async () => {
    const attempt = jest.fn().mockResolvedValue(undefined);
    await expect(retryOnConflict('Others won.', attempt)).rejects.toMatchObject({
      code: 'conflict',
      message: 'Others won. Try again.',
      details: { retryAfterS: 1 },
    });
    expect(attempt).toHaveBeenCalledTimes(MAX_ATTEMPTS);
  });

  it('ends with the first failure, and does not try again', async () => {
    const attempt = jest.fn().mockRejectedValue(new Error('no store'));
    await expect(retryOnConflict('Others won.', attempt)).rejects.toThrow('no store');
    expect(attempt).toHaveBeenCalledTimes(1);
  });
});
