// Assertions guard against our own bugs only. What a caller can get wrong is a Refusal, what
// another system can get wrong is an Outage (refusal.ts).

export class AssertionFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AssertionFailure';
  }
}

/** @throws AssertionFailure when the condition is falsy: never caught to go on, always a bug. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionFailure(message);
}

/** For the default branch of a switch over a union: the compiler refuses a forgotten case. */
export function unreachable(value: never): never {
  throw new AssertionFailure(`unreachable value: ${String(value)}`);
}
