// The mails to those who run an installation, and the frame that all mails stand in: one column
// that reads on a phone, nothing that is fetched from anywhere, every word also as plain text.

import type { Letter } from './letter.ts';

type Paragraphs = readonly [string, ...string[]];

type Content = {
  readonly language: string;
  readonly subject: string;
  readonly title: string;
  readonly paragraphs: Paragraphs;
  readonly link?: { readonly label: string; readonly href: string };
};

export function testLetter(publicUrl: string): Letter {
  return writeLetter({
    language: 'en',
    subject: 'Mail works',
    title: 'Mail works',
    paragraphs: [
      `This mail was sent by the Quittance at ${publicUrl}, because somebody asked for it there.`,
    ],
  });
}

export function writeLetter({ language, subject, title, paragraphs, link }: Content): Letter {
  const parts = [title, ...paragraphs, ...(link === undefined ? [] : [link.href])];
  const button =
    link === undefined
      ? ''
      : `<p style="margin:24px 0"><a href="${escapeHtml(link.href)}" style="${BUTTON}">${escapeHtml(link.label)}</a></p>` +
        `<p style="${SMALL}">${escapeHtml(link.href)}</p>`;
  const body = paragraphs
    .map((one) => `<p style="margin:0 0 16px">${escapeHtml(one)}</p>`)
    .join('');
  return {
    subject,
    text: `${parts.join('\n\n')}\n`,
    html:
      `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8">` +
      '<meta name="viewport" content="width=device-width, initial-scale=1">' +
      `<meta name="color-scheme" content="light"><title>${escapeHtml(subject)}</title></head>` +
      `<body style="${GROUND}"><main style="${CARD}"><h1 style="${HEAD}">${escapeHtml(title)}</h1>` +
      `${body}${button}</main></body></html>`,
  };
}

// Mail programs read styles of the elements themselves, and few others.
const GROUND = 'margin:0;padding:16px;background:#f4f5f7;color:#1c2024';
const CARD =
  'display:block;box-sizing:border-box;max-width:560px;margin:0 auto;padding:24px;' +
  'background:#ffffff;border-radius:8px;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere';
const HEAD = 'margin:0 0 16px;font-size:22px;line-height:1.3';
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:6px;background:#0b5f59;color:#ffffff;' +
  'font-weight:600;text-decoration:none';
const SMALL = 'margin:0;font-size:13px;color:#4a5058';

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
