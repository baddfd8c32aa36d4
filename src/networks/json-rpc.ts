// JSON-RPC as nodes speak it, in what all of them have in common: one question, and what its answer
// comes to. How questions are sent, and how many at once, is in the folder of each family.

import { isFields, RpcFailure } from './answer-fields.ts';
import type { HttpClient } from './http-client.ts';
import { nodeOutage } from './node-outage.ts';

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] };
export type RpcAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly failure: RpcFailure };

const MESSAGE_CHARACTERS = 200;

/** @throws Outage when it is no answer to the question. */
export function readRpcAnswer(
  { what, whom }: Pick<HttpClient, 'what' | 'whom'>,
  method: string,
  answer: unknown,
): RpcAnswer {
  if (!isFields(answer)) throw nodeOutage(what, `${whom} left ${method} unanswered`);
  const { error, result } = answer;
  if (error === null || error === undefined) {
    if (result !== undefined) return { ok: true, result };
    throw nodeOutage(what, `the answer of ${whom} to ${method} is neither result nor error`);
  }
  const { code, message } = isFields(error) ? error : {};
  if (typeof code !== 'number') {
    throw nodeOutage(what, `the error of ${whom} for ${method} has no code`);
  }
  const said = String(message).slice(0, MESSAGE_CHARACTERS);
  return { ok: false, failure: new RpcFailure(method, code, said) };
}

/** The answers by the number that was given to each question. */
export function answersById(list: readonly unknown[]): ReadonlyMap<unknown, unknown> {
  return new Map(list.map((one) => [isFields(one) ? one.id : undefined, one]));
}

/** @throws RpcFailure, the first there is. */
export function resultsOf(answers: readonly RpcAnswer[]): readonly unknown[] {
  return answers.map((answer) => {
    if (!answer.ok) throw answer.failure;
    return answer.result;
  });
}
