// Text of JSON as it is shown: one member a line.

import { type Html, html } from '#pages/html.ts';

/** Indented. Digits stay as they are: numbers of the text may be longer than a double holds. */
export function indented(body: string): Html[] {
  const lines: { depth: number; text: string }[] = [{ depth: 0, text: '' }];
  let depth = 0;
  for (const [part] of body.matchAll(/[{[]\s*[}\]]|"(?:[^"\\]|\\.)*"|[{}[\],]|[^"{}[\],]+/g)) {
    const isBegin = part === '{' || part === '[';
    const isEnd = part === '}' || part === ']';
    if (isEnd) depth -= 1;
    if (isEnd) lines.push({ depth, text: '' });
    lines.at(-1)!.text += part;
    if (isBegin) depth += 1;
    if (isBegin || part === ',') lines.push({ depth, text: '' });
  }
  return lines.map((line) => html`${'  '.repeat(line.depth)}<bdi>${shownJson(line.text)}</bdi>\n`);
}

/** What turns text around or hides in it, as JSON may write it too. */
function shownJson(text: string): string {
  return text.replace(/[\p{Cf}\u2028\u2029]/gu, (hidden) =>
    Array.from({ length: hidden.length }, (_, index) => {
      const unit = hidden.charCodeAt(index).toString(16).padStart(4, '0');
      return `\\u${unit}`;
    }).join(''),
  );
}
