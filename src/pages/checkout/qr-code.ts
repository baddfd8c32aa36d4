// QR codes as drawings: one path of dark squares, black on white whatever the colours of the page.
import { encode } from 'uqr';
import { type Html, html } from '#pages/html.ts';

/** ISO/IEC 18004 asks for four light modules around it. */
const QUIET_MODULES = 4;

/** `label` says the same in words, for who cannot see it. */
export function qrCode(text: string, label: string): Html {
  // Long texts (Lightning invoices) get larger squares instead of more redundancy.
  const { size, data } = encode(text, {
    ecc: text.length > 200 ? 'L' : 'M',
    border: QUIET_MODULES,
  });
  return html`<svg class="qr" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"
 role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${size}" height="${size}"
 fill="#fff"/><path fill="#000" d="${darkPath(data)}"/></svg>`;
}

function darkPath(rows: readonly (readonly boolean[])[]): string {
  const parts: string[] = [];
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x += 1;
      const width = x - start + 1;
      parts.push(`M${start} ${y}h${width}v1h-${width}z`);
    }
  });
  return parts.join('');
}
