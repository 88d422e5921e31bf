import { bucketWaitMs, fullBucket, refillBucket, takeTokens, type TokenBucketLimits } from './token-bucket';

const limits: TokenBucketLimits = { perSecond: 2, burst: 10 };

describe('a token bucket', () => {
  it('is full at first and refills up to its burst', () => {
    const bucket = fullBucket(limits, 1_000);
    takeTokens(bucket, limits, 4);
    expect(bucket.tokens).toBe(6);
    expect(refillBucket(bucket, limits, 2_000).tokens).toBe(8);
    expect(refillBucket(bucket, limits, 60_000).tokens).toBe(10);
  });

  it.each([
    { tokens: 10, amount: 1, waitMs: 0 },
    { tokens: 1, amount: 1, waitMs: 0 },
    { tokens: 0, amount: 1, waitMs: 500 },
    { tokens: 0.5, amount: 1, waitMs: 250 },
    { tokens: -3, amount: 0, waitMs: 1_500 },
  ])('holds $amount of $tokens tokens available in $waitMs ms', ({ tokens, amount, waitMs }) => {
    expect(bucketWaitMs({ tokens, atMs: 0 }, limits, amount)).toBe(waitMs);
  });

  it.each([
    { maxDebt: undefined, lowest: -10 },
    { maxDebt: 100, lowest: -100 },
    { maxDebt: 0, lowest: 0 },
  ])('has a debt of at most $lowest where maxDebt is $maxDebt', ({ maxDebt, lowest }) => {
    const bounded = maxDebt === undefined ? limits : { ...limits, maxDebt };
    const bucket = fullBucket(bounded, 0);
    takeTokens(bucket, bounded, 1_000);
    expect(bucket.tokens).toBeCloseTo(lowest);
  });

  it('takes tokens that are given back, and never holds more than its burst', () => {
    const bucket = fullBucket(limits, 0);
    takeTokens(bucket, limits, 1);
    takeTokens(bucket, limits, -1);
    takeTokens(bucket, limits, -1);
    expect(bucket.tokens).toBe(10);
  });
});
