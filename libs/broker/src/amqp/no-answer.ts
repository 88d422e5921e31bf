import { AppError } from '@busbar/core';

/** The error of a deadline: RabbitMQ did not answer. `what`: the work that it did not confirm. */
export const noAnswer = (what: string) => (ms: number) =>
  new AppError('unavailable', `RabbitMQ did not answer within ${String(ms)} ms: ${what}.`);
