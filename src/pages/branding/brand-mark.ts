// Name and logo of the merchant at the top of its pages.
import type { Logo } from '#account/seller.ts';
import { foreignText, type Html, html } from '#pages/html.ts';

/** The name stands beside the picture: it is also what is read out. */
export function brandMark(shopName: string, logo: Logo | undefined): Html {
  return html`<span class="brand">${logo !== undefined && picture(logo)}${foreignText(shopName)}</span>`;
}

export function logoPath(hash: string): string {
  return `/brand/${hash}.webp`;
}

function picture({ hash, fineHash, ink, width, height }: Logo): Html {
  const plain = logoPath(hash);
  const fine = logoPath(fineHash);
  return html`<img class="logo ${ink}" src="${plain}" srcset="${plain} 1x, ${fine} 2x"
width="${width}" height="${height}" alt="">`;
}
