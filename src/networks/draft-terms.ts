// What is kept of a draft until it comes back signed: names and texts, as JSON.
import { assert } from '#base/assert.ts';
import { Refusal } from '#base/refusal.ts';
import type { DraftPayment } from '#deposit/money-out.ts';
import { isFields } from './answer-fields.ts';

export function writeDraftTerms(terms: Readonly<Record<string, string | bigint>>): string {
  const entries = Object.entries(terms).map(([name, value]) => [name, String(value)]);
  return JSON.stringify(Object.fromEntries(entries));
}

/** What is missing is a fault of ours. */
export function readDraftTerms<const Name extends string>(
  text: string,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  const read: unknown = JSON.parse(text);
  assert(isFields(read), 'the terms of a draft are an object');
  const entries = names.map((name) => {
    const value = read[name];
    assert(typeof value === 'string', `the terms of a draft have ${name}`);
    return [name, value] as const;
  });
  return Object.fromEntries(entries) as Record<Name, string>;
}

/** Where one transaction pays one receiver. @throws Refusal */
export function onlyPayment(payments: readonly DraftPayment[]): DraftPayment {
  const [payment, another] = payments;
  if (payment !== undefined && another === undefined) return payment;
  throw refusedDraft('one transaction pays one receiver on this network: draft each by itself');
}

/** It cannot be put together now. */
export function refusedDraft(sentence: string): Refusal {
  return new Refusal('conflict', 'draft_refused', sentence);
}

/** A node says no. Whoever reads it finds its words in the documentation of the node. */
export function notTaken(said: string): Refusal {
  const words = said.replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, 200);
  return new Refusal('conflict', 'transaction_not_taken', `the network does not take it: ${words}`);
}
