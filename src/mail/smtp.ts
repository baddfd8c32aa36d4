// One letter over SMTP. Guarantees: where TLS is required nothing but the greeting goes over a line
// that is not encrypted, and the certificate is one that is trusted for the server's name; one mail
// has one receiver. Not guaranteed: that a server which said yes delivers it.

import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Outage, Refusal } from '#base/refusal.ts';
import type { SmtpAnswer } from './decide-mail.ts';
import { type MailSender, type MailToSend, mailDomainOf, messageOf } from './letter.ts';

/** Read where mails are sent: most processes send none. */
const loadNodemailer = () =>
  createRequire(import.meta.url)('nodemailer') as typeof import('nodemailer');

export type MailSettings = {
  readonly host: string;
  readonly port: number;
  /** From the first byte on (smtps); else STARTTLS. */
  readonly isTlsFromStart: boolean;
  readonly tls: 'required' | 'optional';
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly passwordFile: string | undefined;
  readonly authorityFile: string | undefined;
  readonly from: MailSender;
  readonly dkim: { readonly keyFile: string; readonly selector: string } | undefined;
};

export type Smtp = {
  /** What the server said. @throws Outage when it let us say nothing of any mail. */
  send(mail: MailToSend): Promise<{ readonly answer: SmtpAnswer; readonly text: string }>;
  /** Says hello and signs in. @throws Outage */
  check(): Promise<void>;
  close(): void;
};

const TIMEOUT_MS = 20_000;
const ANSWER_MOST = 300;
/** Under way at one time; a server that wants fewer says 4xx. */
export const SMTP_CONNECTIONS = 4;

/** What our mails have; RFC 8058, 4, wants both lines about declining to be signed. */
const SIGNED_HEADERS =
  'From:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:' +
  'Content-Transfer-Encoding:Auto-Submitted:List-Unsubscribe:List-Unsubscribe-Post';

/** @throws Refusal invalid `settings_invalid` where a file cannot be read. */
export function openSmtp(settings: MailSettings): Smtp {
  const { from, dkim } = settings;
  const transport = loadNodemailer().createTransport({
    pool: true,
    maxConnections: SMTP_CONNECTIONS,
    ...connectionOf(settings),
    // Letters are text of ours: nothing in them names a file or an address to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(dkim === undefined
      ? {}
      : {
          dkim: {
            domainName: mailDomainOf(from),
            keySelector: dkim.selector,
            privateKey: readDkimKey(dkim.keyFile),
            headerFieldNames: SIGNED_HEADERS,
          },
        }),
  });
  return {
    async send(mail) {
      try {
        const sent = await transport.sendMail(messageOf(mail, from));
        return { answer: { kind: 'taken', text: sent.response }, text: shown(sent.response) };
      } catch (error) {
        return answerOf(error);
      }
    },
    async check() {
      try {
        await transport.verify();
      } catch (error) {
        throw new Outage('mail server', { cause: error });
      }
    },
    close: () => transport.close(),
  };
}

function connectionOf({ host, port, isTlsFromStart, tls, ...settings }: MailSettings) {
  const { user, passwordFile, authorityFile } = settings;
  const pass =
    passwordFile === undefined
      ? settings.password
      : readSecret('SMTP_PASSWORD_FILE', passwordFile).trim();
  const ca =
    authorityFile === undefined ? undefined : readSecret('SMTP_AUTHORITY_FILE', authorityFile);
  return {
    host,
    port,
    secure: isTlsFromStart,
    requireTLS: tls === 'required' && !isTlsFromStart,
    ...(user === undefined ? {} : { auth: { user, pass: pass ?? '' } }),
    tls: { minVersion: 'TLSv1.2' as const, ...(ca === undefined ? {} : { ca }) },
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
  };
}

function readSecret(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const detail = `${name}: the file ${path} cannot be read`;
    throw new Refusal('invalid', 'settings_invalid', detail, { cause: error });
  }
}

/** The library signs by RSA alone, and leaves the signature out where it cannot. */
function readDkimKey(path: string): string {
  const pem = readSecret('DKIM_KEY_FILE', path);
  if (keyTypeOf(pem) === 'rsa') return pem;
  const detail = `DKIM_KEY_FILE: the file ${path} holds no RSA key in PEM`;
  throw new Refusal('invalid', 'settings_invalid', detail);
}

/** Undefined: it is no key. */
function keyTypeOf(pem: string): string | undefined {
  try {
    return createPrivateKey(pem).asymmetricKeyType;
  } catch {
    return undefined;
  }
}

/** As nodemailer tells a failure. */
type SmtpFailure = Error & {
  readonly code?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
};

/** "Authentication required" (RFC 4954, 4): said to us, in the place of an answer to the mail. */
const NOT_SIGNED_IN = 530;
/** Commands after which an answer is about the mail that is under way. */
const OF_THE_MAIL = /^(?:MAIL FROM|RCPT TO|DATA|BDAT)$/;

function answerOf(thrown: unknown): Awaited<ReturnType<Smtp['send']>> {
  if (!(thrown instanceof Error)) throw thrown;
  const failure: SmtpFailure = thrown;
  const { command = '', responseCode: status, response } = failure;
  if (!OF_THE_MAIL.test(command) || status === NOT_SIGNED_IN)
    throw new Outage('mail server', { cause: failure });
  const text = shown(response ?? failure.message);
  if (status === undefined) return { answer: { kind: 'broken' }, text };
  // A server that does not take our own address says so of every mail.
  return { answer: { kind: 'refused', status, isOfThisMail: command !== 'MAIL FROM' }, text };
}

function shown(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, ANSWER_MOST);
}
