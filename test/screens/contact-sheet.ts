// One page with all pictures, a row for each state and language.
import { html } from '#pages/html.ts';
import type { Picture } from './wishes.ts';

export function contactSheet(pictures: readonly Picture[]): string {
  const rows = Map.groupBy(pictures, ({ state, language }) => `${state} · ${language}`);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Every state</title><style>
body { font: 14px system-ui, sans-serif; background: #8a8f94; margin: 1rem }
section { display: flex; gap: 1rem; align-items: start; overflow: auto; padding-bottom: 1rem }
h2 { font-size: 1rem; margin: 1rem 0 0.5rem }
img { height: 420px; border: 1px solid #444 }
figure { margin: 0 }
</style></head><body><h1>${pictures.length} pictures</h1>
${[...rows].map(
  ([name, row]) =>
    html`<h2>${name}</h2><section>${row.map(
      ({ file, width, theme }) =>
        html`<figure><a href="${file}"><img src="${file}" loading="lazy" alt="${name}, ${
          width
        } pixels, ${theme}"></a><figcaption>${width} ${theme}</figcaption></figure>`,
    )}</section>`,
)}
</body></html>
`.markup;
}
