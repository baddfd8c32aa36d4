// The header Link (RFC 8288) of a page of a list. Guarantees: a link asks for what the request
// asked for, with every parameter but the cursor as it was given; nothing that a caller wrote
// leaves unescaped.

import { DocumentAnswer } from './send-refusal.ts';

/** Twice in a header: what clients read has an end, often at 16 KiB. */
const QUERY_MOST = 2048;

/** Nothing where the answer is no page of a list, or the query is too long to be said again. */
export function pageLinks(
  path: string,
  query: string,
  answer: object,
): Readonly<Record<string, string>> {
  const next = nextCursorOf(answer);
  if (next === undefined || query.length > QUERY_MOST) return {};
  const parameters = new URLSearchParams(query);
  parameters.delete('cursor');
  const first = linkTo(path, parameters, 'first');
  if (next === null) return { link: first };
  parameters.set('cursor', next);
  return { link: `${linkTo(path, parameters, 'next')}, ${first}` };
}

/** Undefined: the answer is no page. */
function nextCursorOf(answer: object): string | null | undefined {
  if (answer instanceof DocumentAnswer) return answer.nextCursor;
  const { nextCursor } = answer as { readonly nextCursor?: string | null };
  return nextCursor;
}

function linkTo(path: string, parameters: URLSearchParams, relation: string): string {
  const query = parameters.toString();
  return `<${path}${query === '' ? '' : '?'}${query}>; rel="${relation}"`;
}
