// What a mail says, and what may stand in its headers. Guarantees: no line break or other control
// character of a stranger's text comes into a header, and an address is one address: nobody can
// add a header, a receiver or a body (injection), nor turn the direction in which a subject reads.

import { Refusal } from '#base/refusal.ts';
import { codePointLength, isEmail } from '#base/text.ts';

export type Letter = {
  readonly subject: string;
  /** Name beside the address that mails come from; undefined: as MAIL_FROM says it. */
  readonly fromName?: string | undefined;
  /** Where answers go; undefined: to the address that mails come from. */
  readonly replyTo?: string | undefined;
  /** Of a mail that one can decline: a page of ours that takes a POST (RFC 8058). */
  readonly leaveUrl?: string | undefined;
  readonly text: string;
  readonly html: string;
};

const SUBJECT_MOST = 200;
const NAME_MOST = 100;

/** The same letter, as its headers can carry it. */
export function cleanLetter({ subject, fromName, replyTo, leaveUrl, text, html }: Letter): Letter {
  const name = fromName === undefined ? '' : oneLine(fromName, NAME_MOST);
  return {
    subject: oneLine(subject, SUBJECT_MOST),
    fromName: name === '' ? undefined : name,
    replyTo: replyTo !== undefined && isEmail(replyTo) ? replyTo : undefined,
    leaveUrl: leaveUrl === undefined ? undefined : headerUrl(leaveUrl),
    text: text.toWellFormed(),
    html: html.toWellFormed(),
  };
}

/**
 * One line of visible characters. Controls, ends of line of any script and marks of direction
 * become spaces; those that join letters of some scripts and emoji stay.
 */
function oneLine(given: string, most: number): string {
  const line = given
    .toWellFormed()
    .replaceAll(
      /[\p{Cc}\p{Zl}\p{Zp}\u{61C}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2066}-\u{2069}]+/gu,
      ' ',
    )
    // Readers would take it for an encoded word (RFC 2047) and show what is in it.
    .replaceAll('=?', '= ?')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  if (codePointLength(line) <= most) return line;
  return `${[...line].slice(0, most - 1).join('')}…`;
}

/** As a URL is written: what could end the angle brackets around it, or the line, is escaped. */
function headerUrl(url: string): string {
  const { href } = new URL(url);
  return href.replaceAll(/[^\x21-\x3b\x3d\x3f-\x7e]/g, (one) => encodeURIComponent(one));
}

/** @throws Refusal invalid `email` */
export function readReceiver(typed: string): string {
  const receiver = typed.trim();
  if (isEmail(receiver)) return receiver;
  throw new Refusal('invalid', 'email', 'email: an address such as ann@shop.example is wanted');
}

export type MailToSend = {
  readonly id: string;
  readonly receiver: string;
  readonly letter: Letter;
  readonly at: Temporal.Instant;
};

export type MailSender = { readonly name: string; readonly address: string };

/** What the library makes MIME of. */
export function messageOf({ id, receiver, letter, at }: MailToSend, from: MailSender) {
  return {
    from: { name: letter.fromName ?? from.name, address: from.address },
    to: { name: '', address: receiver },
    ...(letter.replyTo === undefined ? {} : { replyTo: { name: '', address: letter.replyTo } }),
    envelope: { from: from.address, to: [receiver] },
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    messageId: `<${id}@${mailDomainOf(from)}>`,
    date: new Date(at.epochMilliseconds),
    // In the other encoding it may cut emoji into halves; rare letters of other planes it cuts in
    // both where a subject is long, which a reader shows as two marks.
    textEncoding: 'base64' as const,
    headers: {
      // RFC 3834: no vacation answers back.
      'Auto-Submitted': 'auto-generated',
      ...(letter.leaveUrl === undefined
        ? {}
        : {
            'List-Unsubscribe': { prepared: true, value: `<${letter.leaveUrl}>` },
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
    },
  };
}

export function mailDomainOf({ address }: MailSender): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
