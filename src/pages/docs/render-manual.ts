// A page of the manual as markup. Raw HTML in Markdown stays text, links lead to pages of ours or
// to https, and code can be copied.

import type { Tokens } from 'marked';
import { escapeText, type Html, html, trustedMarkup } from '#pages/html.ts';
import { type CodeTab, codeTabs } from './code-tabs.ts';
import { type ManualPage, markdownReader, stepOf } from './read-manual.ts';
import { anchorOf } from './search-manual.ts';

type ManualParts = {
  /** A step in every language. */
  readonly tabsOfStep: (step: NonNullable<ReturnType<typeof stepOf>>) => readonly CodeTab[];
  /** Code that stands in files, by name, in every language it is written in. */
  readonly tabsOfFile: (name: string) => readonly CodeTab[];
  /** What differs from reader to reader. */
  readonly fill: (code: string) => string;
  /** A real body of an event. */
  readonly eventBody: (type: string) => object | undefined;
};

type Heading = { readonly anchor: string; readonly text: string };

export function renderManual(
  { id, markdown }: ManualPage,
  parts: ManualParts,
): { readonly body: Html; readonly headings: readonly Heading[] } {
  const headings: Heading[] = [];
  let blocks = 0;
  const { Marked } = markdownReader();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        const text = this.parser.parseInline(tokens, this.parser.textRenderer);
        const anchor = anchorOf(text);
        if (depth === 2) headings.push({ anchor, text });
        const name = escapeText(anchor);
        return `<h${depth} id="${name}">${inner} <a class="anchor" href="#${name}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      code(token) {
        blocks += 1;
        return codeMarkup(token, `${id}-${blocks}`, parts).markup;
      },
      html: ({ text }) => escapeText(text),
      link({ href, tokens }) {
        const isOurs = /^[/#](?!\/)/.test(href);
        const inner = this.parser.parseInline(tokens);
        return isOurs || href.startsWith('https://')
          ? `<a href="${escapeText(href)}"${isOurs ? '' : ' rel="noreferrer"'}>${inner}</a>`
          : inner;
      },
      image: ({ text }) => escapeText(text),
      table(token) {
        const cell = (tag: string, { tokens }: Tokens.TableCell) =>
          `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
        const rows = token.rows.map(
          (row) => `<tr>${row.map((one) => cell('td', one)).join('')}</tr>`,
        );
        return `<div class="table" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${token.header
          .map((one) => cell('th', one))
          .join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>\n`;
      },
    },
  });
  const body = trustedMarkup(marked.parse(markdown, { async: false }));
  return { body, headings };
}

function codeMarkup(token: Tokens.Code, name: string, parts: ManualParts): Html {
  const step = stepOf(token);
  if (step !== undefined) return codeTabs(name, parts.tabsOfStep(step));
  const [kind, what = ''] = (token.lang ?? '').split(' ');
  if (kind === 'file') return codeTabs(name, parts.tabsOfFile(what));
  if (kind === 'event') {
    const text = JSON.stringify(parts.eventBody(what), undefined, 2);
    return codeBlock(text);
  }
  return codeBlock(parts.fill(token.text));
}

/** Code with a button that copies it, shown where JavaScript can. */
export function codeBlock(code: string): Html {
  return html`<div class="code"><pre tabindex="0"><code>${code}</code></pre>
<button type="button" class="copy" data-copy="${code}" data-done="Copied" hidden>Copy</button></div>`;
}
