// The manual of an installation, looked through by words: its guides, and the operations and events
// of its OpenAPI document. Both are public, and say what that installation does.

import { Outage } from '#base/refusal.ts';

type Section = { readonly title: string; readonly url: string; readonly text: string };

const SHOWN_MOST = 5;
const TEXT_MOST = 2_000;
const ANSWER_MS = 20_000;
const PAGES_MOST = 60;

type Manual = { search(words: string): Promise<string> };

/** Read when it is first asked. */
export function openManual(url: string): Manual {
  let sections: Promise<readonly Section[]> | undefined;
  return {
    async search(words) {
      sections ??= readSections(url);
      const known = await sections.catch((error: unknown) => {
        sections = undefined;
        throw error;
      });
      const found = known
        .map((section) => ({ section, score: scoreOf(section, words) }))
        .filter(({ score }) => score > 0)
        .toSorted((one, other) => other.score - one.score)
        .slice(0, SHOWN_MOST)
        .map(({ section }) => `${section.title}\n${section.url}\n\n${shortened(section.text)}`);
      return found.join('\n\n---\n\n') || 'Nothing of that is in the manual.';
    },
  };
}

async function readSections(url: string): Promise<readonly Section[]> {
  const [document, overview] = await Promise.all([
    readText(`${url}/api/v1/openapi.json`),
    readText(`${url}/docs`),
  ]);
  const links = [...overview.matchAll(/href="(\/docs\/(?!operations\/)[\w/-]+)"/g)];
  const paths = [...new Set(links.map(([, path = '']) => path))].slice(0, PAGES_MOST);
  const pages = await Promise.all(
    paths.map(async (path) => pageSection(`${url}${path}`, await readText(`${url}${path}`))),
  );
  return [...pages, ...documentSections(url, JSON.parse(document) as ApiDocument)];
}

async function readText(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    if (response.ok) return await response.text();
    throw new Error(`answered ${response.status}`);
  } catch (error) {
    throw new Outage(url, { cause: error });
  }
}

function pageSection(url: string, page: string): Section {
  const [, title = url] = /<title>([^<]*)<\/title>/.exec(page) ?? [];
  const [, main = page] = /<main[^>]*>([\s\S]*)<\/main>/.exec(page) ?? [];
  return { title: unescaped(title), url, text: unescaped(main.replace(/<[^>]+>/g, ' ')) };
}

function unescaped(text: string): string {
  const letters: Readonly<Record<string, string>> = {
    ...{ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" },
    '&amp;': '&',
  };
  return text.replace(/&(?:lt|gt|quot|#39|amp);/g, (name) => letters[name] ?? name);
}

type Operation = { readonly summary?: string; readonly description?: string };
type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

function documentSections(url: string, { paths, webhooks = {} }: ApiDocument): Section[] {
  const all = [...Object.entries(paths), ...Object.entries(webhooks)];
  return all.flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      title: path.startsWith('/') ? `${method.toUpperCase()} ${path}` : path,
      url: `${url}/api/v1/openapi.json`,
      text: `${operation.summary ?? ''}\n${JSON.stringify(operation)}`,
    })),
  );
}

/** Each word counts; in the title it counts most. */
function scoreOf({ title, text }: Section, words: string): number {
  const wanted = words.toLowerCase().match(/[\p{L}\p{N}_/-]+/gu) ?? [];
  const [head, body] = [title.toLowerCase(), text.toLowerCase()];
  const scores = wanted.map(
    (word) => (head.includes(word) ? 5 : 0) + (body.includes(word) ? 1 : 0),
  );
  const found = scores.filter((score) => score > 0).length;
  return scores.reduce((sum, score) => sum + score, 0) * found;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > TEXT_MOST ? `${line.slice(0, TEXT_MOST)} …` : line;
}
