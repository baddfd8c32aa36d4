import { Refusal } from '#base/refusal.ts';
import { faultAt, optional, text } from '#money/exact-schema.ts';

/** What a DELETE names its object by, at the top or inside the object (api-contract.md 5). */
export const deletionFields = { id: optional(text(100)) };

/**
 * The id of `{ id }` or `{ <object>: { id } }`.
 * @throws Refusal `validation_failed` when there is none or two that differ.
 */
export function deletedId(input: {
  readonly [name: string]: string | { readonly id: string | undefined } | undefined;
}): string {
  const given = Object.entries(input).flatMap(([name, value]) => {
    const id = typeof value === 'string' ? value : value?.id;
    return id === undefined ? [] : [{ path: name === 'id' ? ['id'] : [name, 'id'], id }];
  });
  const [first, second] = given;
  if (first === undefined) throw refused(['id'], 'is required');
  if (second !== undefined && second.id !== first.id) throw refused(second.path, 'differs from id');
  return first.id;
}

function refused(path: string[], message: string): Refusal {
  return new Refusal('invalid', 'validation_failed', faultAt(path, message));
}
