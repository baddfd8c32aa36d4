// Who takes our mails, and how they are signed.
import { resolve } from 'node:path';
import { isEmail } from '#base/text.ts';
import type { MailSettings } from '#mail/smtp.ts';

const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465;

/** Undefined where there is none. */
export function mailSettings(
  directory: string,
  faults: string[],
  text: (name: string) => string,
): MailSettings | undefined {
  const url = text('SMTP_URL');
  const fileOf = (name: string) => (text(name) === '' ? undefined : resolve(directory, text(name)));
  if (url === '') {
    for (const name of ['MAIL_FROM', 'SMTP_PASSWORD_FILE', 'DKIM_KEY_FILE'] as const) {
      if (text(name) !== '') faults.push(`${name}: set, while SMTP_URL is not`);
    }
    return undefined;
  }
  const tls = text('SMTP_TLS');
  if (tls !== 'required' && tls !== 'optional') {
    faults.push(`SMTP_TLS: must be one of required, optional, not "${tls}"`);
  }
  return {
    ...placeOf(url, faults),
    tls: tls === 'optional' ? 'optional' : 'required',
    passwordFile: fileOf('SMTP_PASSWORD_FILE'),
    authorityFile: fileOf('SMTP_AUTHORITY_FILE'),
    from: senderOf(text('MAIL_FROM'), faults),
    dkim: dkimOf(fileOf('DKIM_KEY_FILE'), text('DKIM_SELECTOR'), faults),
  };
}

function placeOf(
  text: string,
  faults: string[],
): Pick<MailSettings, 'host' | 'port' | 'isTlsFromStart' | 'user' | 'password'> {
  const url = URL.parse(text);
  const isWhole =
    url !== null && url.search === '' && url.hash === '' && /^\/?$/.test(url.pathname);
  // What was typed has the password: it is not said again.
  if (!isWhole || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    faults.push('SMTP_URL: must be of the form smtp://user:password@host:587, or smtps://');
  }
  const isTlsFromStart = url?.protocol === 'smtps:';
  const decoded = (part: string | undefined) => {
    try {
      return decodeURIComponent(part ?? '') || undefined;
    } catch {
      faults.push('SMTP_URL: user and password are written with %XX where a character is special');
      return undefined;
    }
  };
  return {
    host: url?.hostname.replaceAll(/^\[|\]$/g, '') ?? '',
    port: Number(url?.port || (isTlsFromStart ? SUBMISSIONS_PORT : SUBMISSION_PORT)),
    isTlsFromStart,
    user: decoded(url?.username),
    password: decoded(url?.password),
  };
}

/** `pay@shop.example`, or `Shop <pay@shop.example>`. */
function senderOf(text: string, faults: string[]): MailSettings['from'] {
  const [, name = '', inBrackets] = /^([^<>"\p{Cc}]*)<([^<>]+)>$/u.exec(text) ?? [];
  const address = (inBrackets ?? text).trim();
  if (!isEmail(address)) {
    faults.push('MAIL_FROM: must be an address, or a name with one: Shop <pay@shop.example>');
  }
  return { name: name.trim(), address };
}

function dkimOf(
  keyFile: string | undefined,
  selector: string,
  faults: string[],
): MailSettings['dkim'] {
  if (keyFile === undefined && selector === '') return undefined;
  if (keyFile === undefined) faults.push('DKIM_KEY_FILE: missing, while DKIM_SELECTOR is set');
  // RFC 6376, 3.1: labels of a domain.
  if (!/^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/i.test(selector)) {
    faults.push('DKIM_SELECTOR: must be a name such as mail2026, beside DKIM_KEY_FILE');
  }
  return keyFile === undefined ? undefined : { keyFile, selector };
}
