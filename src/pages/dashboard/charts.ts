// Charts, drawn on the server: columns by day and bars by kind, each with the table of what it
// shows. Their texts stand beside the drawing, so that they keep their size on a phone. Numbers
// become lengths here and nothing else: what is read stands in texts that were exact before.

import { scaleBand, scaleLinear } from 'd3-scale';
import { type Html, html } from '#pages/html.ts';

export type ChartRow = {
  readonly name: string;
  /** How long it is drawn; below zero downwards. */
  readonly length: number;
  /** What of it is read, cell by cell. */
  readonly cells: readonly string[];
};

type Chart = {
  readonly id: string;
  readonly title: string;
  /** Of the table: first that of the names. */
  readonly heads: readonly string[];
  /** Opens the table. */
  readonly asTable: string;
  /** What is not in it. */
  readonly note?: string | undefined;
  readonly rows: readonly ChartRow[];
};

const WIDTH = 600;
const HEIGHT = 160;
const TICKS = 4;
/** A column of something is seen. */
const LEAST_HEIGHT = 2;

/** One row after another in time. `tickText`: a number of the scale, as it is read. */
export function columnChart(chart: Chart, tickText: (value: number) => string): Html {
  const { id, rows } = chart;
  const lengths = rows.map(({ length }) => length);
  const [least, most] = [Math.min(...lengths, 0), Math.max(...lengths, 0)];
  const y = scaleLinear()
    .domain([least, most || (least < 0 ? 0 : 1)])
    .nice(TICKS)
    .range([HEIGHT, 0]);
  const x = scaleBand<number>().domain(rows.keys()).range([0, WIDTH]).paddingInner(0.25);
  const ticks = y.ticks(TICKS).toReversed();
  const line = (tick: number) =>
    html`<line x1="0" x2="${WIDTH}" y1="${y(tick)}" y2="${y(tick)}"></line>`;
  const column = ({ length }: ChartRow, index: number) => {
    if (length === 0) return undefined;
    const height = Math.max(Math.abs(y(0) - y(length)), LEAST_HEIGHT);
    const top = length > 0 ? y(0) - height : y(0);
    return html`<rect x="${places(x(index) ?? 0)}" width="${places(x.bandwidth())}" y="${places(top)}" height="${places(height)}"></rect>`;
  };
  return figure(
    chart,
    html`<div class="plot"><ol class="scale" aria-hidden="true">${ticks.map(
      (tick) => html`<li>${tickText(tick)}</li>`,
    )}</ol><svg role="img" aria-labelledby="${id}-title" viewBox="0 0 ${WIDTH} ${HEIGHT}"
 preserveAspectRatio="none">${ticks.map(line)}${rows.map(column)}</svg></div>
<p class="ends" aria-hidden="true"><span>${rows[0]?.name ?? ''}</span><span>${rows.at(-1)?.name ?? ''}</span></p>`,
  );
}

/** One row below another, the longest first. */
export function barChart(chart: Chart): Html {
  const rows = chart.rows.toSorted((one, other) => other.length - one.length);
  const x = scaleLinear()
    .domain([0, rows[0]?.length || 1])
    .range([0, WIDTH]);
  const bar = ({ name, length, cells }: ChartRow) =>
    html`<li><span>${name}</span><span>${cells.at(-1) ?? ''}</span><svg aria-hidden="true"
 viewBox="0 0 ${WIDTH} 1" preserveAspectRatio="none"><rect x="0" y="0" height="1" width="${places(
   Math.max(x(length), LEAST_HEIGHT),
 )}"></rect></svg></li>`;
  return figure({ ...chart, rows }, html`<ul class="bars">${rows.map(bar)}</ul>`);
}

function places(value: number): string {
  return value.toFixed(2);
}

function figure(chart: Chart, drawn: Html): Html {
  const { id, title, heads, asTable, rows, note } = chart;
  const cell = (text: string) => html`<td>${text}</td>`;
  return html`<figure class="chart card" id="${id}"><figcaption id="${id}-title"><h2>${title}</h2></figcaption>
${drawn}${note !== undefined && html`<p class="hint">${note}</p>`}
<details><summary>${asTable}</summary><table><caption class="visually-hidden">${title}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ name, cells }) => html`<tr><th scope="row">${name}</th>${cells.map(cell)}</tr>`,
  )}</tbody></table></details></figure>`;
}
