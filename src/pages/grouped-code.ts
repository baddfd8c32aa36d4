// Addresses and references as they are compared by eye: in groups of four with the first and the
// last strong. Nothing is put in between: what is selected is what has to be sent.
import { type Html, html } from './html.ts';

const groupLength = 4;

export function groupsOf(text: string): string[] {
  const groups = text.match(/.{1,4}/gsu) ?? [];
  const last = groups.at(-1);
  // A last character alone is overlooked: it stays with the group before.
  if (groups.length < 2 || last === undefined || [...last].length > 1) return groups;
  return [...groups.slice(0, -2), `${groups.at(-2)}${last}`];
}

export function groupedCode(text: string): Html {
  const groups = groupsOf(text);
  if (text.length <= groupLength * 2) return html`${text}`;
  const ends = [0, groups.length - 1];
  const parts = groups.map((group, index) =>
    ends.includes(index) ? html`<b>${group}</b>` : html`<span>${group}</span>`,
  );
  return html`<span class="fours">${parts.map((part, index) => html`${index > 0 && html`<wbr>`}${part}`)}</span>`;
}
