// The same code in several languages, one shown at a time: radio buttons and the stylesheet do it,
// without JavaScript. With it the choice is remembered and holds for all blocks of a page.

import { type Html, html } from '#pages/html.ts';

export const CODE_LANGUAGES = [
  { id: 'curl', name: 'curl' },
  { id: 'node', name: 'Node' },
  { id: 'python', name: 'Python' },
  { id: 'php', name: 'PHP' },
  { id: 'ruby', name: 'Ruby' },
  { id: 'go', name: 'Go' },
  { id: 'csharp', name: 'C#' },
  { id: 'java', name: 'Java' },
] as const;

export type CodeLanguage = (typeof CODE_LANGUAGES)[number]['id'];

export type CodeTab = { readonly language: CodeLanguage; readonly code: string };

/** `name` is unique on its page. */
export function codeTabs(name: string, tabs: readonly CodeTab[]): Html {
  return html`<div class="tabs" role="group" aria-label="Code">${tabs.map(
    ({ language }, index) =>
      html`<input type="radio" class="tab" name="${name}" id="${name}-${language}" value="${language}"${
        index === 0 && html` checked`
      }><label for="${name}-${language}">${nameOf(language)}</label>`,
  )}${tabs.map(
    ({ code }) => html`<div class="code"><pre tabindex="0"><code>${code}</code></pre>
<button type="button" class="copy" data-copy="${code}" data-done="Copied" hidden>Copy</button></div>`,
  )}</div>`;
}

function nameOf(language: CodeLanguage): string {
  return CODE_LANGUAGES.find(({ id }) => id === language)?.name ?? language;
}
