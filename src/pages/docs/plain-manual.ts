// A page of the manual as Markdown, and the list of all of them, for programs that read (llms.txt):
// steps as HTTP, code in the languages that stand in files.

import type { ApiReference } from './api-reference.ts';
import { CODE_LANGUAGES } from './code-tabs.ts';
import { MANUAL, MANUAL_GROUPS, type ManualPage } from './read-manual.ts';
import { fillSnippet, type ManualReader, snippetTabs } from './snippets.ts';

export function plainManual(
  { title, about, markdown }: ManualPage,
  reader: ManualReader,
  reference: ApiReference,
): string {
  const base = reference.servers[0]?.url ?? reader.url;
  const body = markdown
    .replaceAll(/^```http.*\n(\w+) (\/)/gm, (_, method: string) => `\`\`\`http\n${method} ${base}/`)
    .replaceAll(/^```file (\S+)\n```$/gm, (_, name: string) =>
      snippetTabs(name, reader)
        .map(({ language, code }) => {
          const shown = CODE_LANGUAGES.find(({ id }) => id === language)?.name ?? language;
          return `${shown}:\n\n\`\`\`\n${code}\n\`\`\``;
        })
        .join('\n\n'),
    )
    .replaceAll(/\]\(\/docs\/([a-z-]+)(#[^)]*)?\)/g, (whole, id: string, anchor = '') =>
      MANUAL.some((page) => page.id === id) ? `](/docs/${id}.md${anchor})` : whole,
    );
  return `# ${title}\n\n${about}\n\n${fillSnippet(body, reader)}\n`;
}

/** As https://llmstxt.org describes it. */
export function llmsText(): string {
  const groups = MANUAL_GROUPS.map((group) => {
    const pages = MANUAL.filter((page) => page.group === group);
    const lines = pages.map(({ id, title, about }) => `- [${title}](/docs/${id}.md): ${about}`);
    return `## ${group}\n\n${lines.join('\n')}`;
  });
  return `# Quittance

> A self-hosted service that takes payments in cryptocurrencies for shops: checkouts, hosted payment
> pages, signed webhooks, refunds, settlement.

Base path of the API: /api/v1. Contract for programs: [openapi.json](/api/v1/openapi.json).

${groups.join('\n\n')}
`;
}
