// The mails to those who run an installation, and the frame that all mails stand in: one column
// that reads on a phone, nothing that is fetched from anywhere, every word also as plain text.

import type { DashboardLanguageCode, LanguageCode } from '#catalog/language.ts';
import type { Letter } from './letter.ts';
import { PEOPLE_TEXTS, type SecurityChange } from './people-texts.ts';

type Paragraphs = readonly [string, ...string[]];

type Link = { readonly label: string; readonly href: string };

/** In whose name it is written; colours as `#rrggbb`, of which the second is read on the first. */
type Brand = {
  readonly name: string;
  readonly fill: string;
  readonly onFill: string;
  readonly edge: string;
};

type Content = {
  readonly language: LanguageCode;
  readonly subject: string;
  readonly title: string;
  readonly paragraphs: Paragraphs;
  readonly link?: Link;
  readonly brand?: Brand;
  /** Below all else: why it came, and how one gets no more of them. */
  readonly foot?: { readonly text: string; readonly link: Link };
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

/** To whoever looks after the installation, in the language of its log. */
export function alertLetter({
  title,
  detail,
  href,
}: {
  readonly title: string;
  readonly detail: string;
  readonly href: string;
}): Letter {
  const link = { label: 'Open the dashboard', href };
  return writeLetter({ language: 'en', subject: title, title, paragraphs: [detail], link });
}

/** To whoever is invited; `link` is a secret of his. */
export function invitationLetter(
  language: DashboardLanguageCode,
  { publicUrl, link, until }: { publicUrl: string; link: string; until: Temporal.Instant },
): Letter {
  const { invitation } = PEOPLE_TEXTS[language];
  const { host } = new URL(publicUrl);
  const title = invitation.title(host);
  const paragraphs: Paragraphs = [
    invitation.body(host),
    invitation.until(momentText(language, until)),
  ];
  const button = { label: invitation.button, href: link };
  return writeLetter({ language, subject: title, title, paragraphs, link: button });
}

/** To whoever is known and asked for it; `link` is a secret of his. */
export function signInLinkLetter(
  language: DashboardLanguageCode,
  { publicUrl, link, until }: { publicUrl: string; link: string; until: Temporal.Instant },
): Letter {
  const { signInLink } = PEOPLE_TEXTS[language];
  const title = signInLink.title(new URL(publicUrl).host);
  const paragraphs: Paragraphs = [signInLink.body, signInLink.until(momentText(language, until))];
  const button = { label: signInLink.button, href: link };
  return writeLetter({ language, subject: title, title, paragraphs, link: button });
}

/** To whoever was signed in, in a browser that he had not signed in with before. */
export function newSignInLetter(
  language: DashboardLanguageCode,
  { publicUrl, at, address }: { publicUrl: string; at: Temporal.Instant; address: string },
): Letter {
  const { newSignIn } = PEOPLE_TEXTS[language];
  const title = newSignIn.title(new URL(publicUrl).host);
  const told = newSignIn.body(momentText(language, at), address === '' ? '?' : address);
  return securityLetter(language, publicUrl, title, [told]);
}

export function changedSecurityLetter(
  language: DashboardLanguageCode,
  { publicUrl, at, change }: { publicUrl: string; at: Temporal.Instant; change: SecurityChange },
): Letter {
  const { changed } = PEOPLE_TEXTS[language];
  const title = changed.title(new URL(publicUrl).host);
  const told: Paragraphs = [changed[change], changed.at(momentText(language, at))];
  return securityLetter(language, publicUrl, title, told);
}

/** To everybody who runs the installation: what the brake of a network held was let go. */
export function releasedBrakeLetter(
  language: DashboardLanguageCode,
  told: { publicUrl: string; at: Temporal.Instant; network: string; payments: number },
): Letter {
  const { brake, changed } = PEOPLE_TEXTS[language];
  const { publicUrl, at, network, payments } = told;
  const title = brake.title(network, new URL(publicUrl).host);
  const paragraphs: Paragraphs = [
    brake.body(`${payments}`, network),
    changed.at(momentText(language, at)),
    brake.look,
  ];
  const href = new URL('/dashboard/operator/networks', publicUrl).href;
  const link = { label: PEOPLE_TEXTS[language].openSecurity, href };
  return writeLetter({ language, subject: title, title, paragraphs, link });
}

function securityLetter(
  language: DashboardLanguageCode,
  publicUrl: string,
  title: string,
  told: Paragraphs,
): Letter {
  const { notYou, openSecurity } = PEOPLE_TEXTS[language];
  const link = { label: openSecurity, href: new URL('/dashboard', publicUrl).href };
  return writeLetter({ language, subject: title, title, paragraphs: [...told, notYou], link });
}

function momentText(language: DashboardLanguageCode, at: Temporal.Instant): string {
  const options = { dateStyle: 'long', timeStyle: 'short' } as const;
  return `${at.toZonedDateTimeISO('UTC').toLocaleString(language, options)} UTC`;
}

export function writeLetter(content: Content): Letter {
  const { language, subject, title, paragraphs, link, brand, foot } = content;
  const { direction = 'ltr' } = new Intl.Locale(language).getTextInfo();
  const parts = [
    ...(brand === undefined ? [] : [brand.name]),
    title,
    ...paragraphs,
    ...(link === undefined ? [] : [link.href]),
    ...(foot === undefined ? [] : [foot.text, `${foot.link.label}: ${foot.link.href}`]),
  ];
  const button =
    link === undefined
      ? ''
      : `<p style="margin:24px 0"><a href="${escapeHtml(link.href)}" style="${buttonStyle(brand)}">${escapeHtml(link.label)}</a></p>` +
        // It breaks where it may: what lies between is copied whole.
        `<p style="${SMALL}">${escapeHtml(link.href).replaceAll('/', '/<wbr>')}</p>`;
  const head =
    brand === undefined ? '' : `<p style="${headStyle(brand)}">${escapeHtml(brand.name)}</p>`;
  const end =
    foot === undefined
      ? ''
      : `<p style="${FOOT}">${escapeHtml(foot.text)}</p><p style="${SMALL}">` +
        `${escapeHtml(foot.link.label)}: <a href="${escapeHtml(foot.link.href)}" style="${PLAIN_LINK}">` +
        `${escapeHtml(foot.link.href).replaceAll('/', '/<wbr>')}</a></p>`;
  const body = paragraphs
    .map((one) => `<p style="margin:0 0 16px">${escapeHtml(one).replaceAll('\n', '<br>')}</p>`)
    .join('');
  return {
    subject,
    text: `${parts.join('\n\n')}\n`,
    html:
      `<!doctype html><html lang="${escapeHtml(language)}" dir="${direction}"><head><meta charset="utf-8">` +
      '<meta name="viewport" content="width=device-width, initial-scale=1">' +
      `<meta name="color-scheme" content="light"><title>${escapeHtml(subject)}</title></head>` +
      `<body style="${GROUND}${language === 'ko' ? WHOLE_WORDS : ''}"><main style="${CARD}">${head}<h1 style="${HEAD}">${escapeHtml(title)}</h1>` +
      `${body}${button}${end}</main></body></html>`,
  };
}

// Mail programs read styles of the elements themselves, and few others.
/** Korean has spaces between words, and lines end there. */
const WHOLE_WORDS = ';word-break:keep-all';
const GROUND = 'margin:0;padding:16px;background:#f4f5f7;color:#1c2024';
const CARD =
  'display:block;box-sizing:border-box;max-width:560px;margin:0 auto;padding:24px;' +
  'background:#ffffff;border-radius:8px;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere';
const HEAD = 'margin:0 0 16px;font-size:22px;line-height:1.3';
const SMALL = 'margin:0;font-size:12px;color:#4a5058';
const FOOT =
  'margin:24px 0 8px;padding-top:16px;border-top:1px solid #d5d9dd;font-size:12px;color:#4a5058';
const PLAIN_LINK = 'color:#4a5058';
const OUR_BUTTON = { fill: '#0b5f59', onFill: '#ffffff', edge: '#0b5f59' };

function buttonStyle({ fill, onFill, edge }: Omit<Brand, 'name'> = OUR_BUTTON): string {
  const frame = 'display:inline-block;padding:12px 20px;border-radius:6px;font-weight:600';
  return `${frame};text-decoration:none;border:1px solid ${edge};background:${fill};color:${onFill}`;
}

function headStyle({ fill, onFill }: Brand): string {
  const frame = 'margin:-24px -24px 24px;padding:16px 24px;border-radius:8px 8px 0 0';
  return `${frame};font-weight:600;background:${fill};color:${onFill}`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
