// An outbox over a test database, and settings for a mail server on this machine.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '#base/log.ts';
import type { Db } from '#db/db.ts';
import { keyringOf } from '#installation/keyring.ts';
import { writeLetter } from '#mail/letters.ts';
import { enqueueMail, findMail, type ListedMail, type NewMail } from '#mail/mail.ts';
import type { SendMailsApp } from '#mail/send-mails.ts';
import type { MailSettings } from '#mail/smtp.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { seededRandom } from './seeded-random.ts';
import { loopbackShopCertificate } from './self-signed.ts';

export type MailFixture = SendMailsApp & { readonly clock: ManualClock };

export function mailFixture(db: Db, seed: number): MailFixture {
  const random = seededRandom(seed);
  const clock = manualClock('2026-03-01T12:00:00Z');
  return { db, clock, random, log: silentLog, keyring: keyringOf(random.bytes(32), random) };
}

export const SAMPLE_LETTER = writeLetter({
  language: 'en',
  subject: 'Your order – thank you',
  title: 'Thank you',
  paragraphs: ['We have seen your payment of 12,50 €.'],
  link: { label: 'Open', href: 'https://pay.shop.test/opened/secret-of-ann' },
});

/** Answers its id. */
export function tellMail(
  app: MailFixture,
  {
    causeKey,
    kind = 'TEST',
    receiver = 'ann@customers.test',
    letter = SAMPLE_LETTER,
  }: {
    readonly causeKey: string;
    readonly kind?: NewMail['kind'];
    readonly receiver?: string;
    readonly letter?: typeof SAMPLE_LETTER;
  },
): Promise<string> {
  return app.db.transact(async (tx) => enqueueMail(app, tx, { causeKey, kind, receiver, letter }));
}

export async function getMail({ db }: MailFixture, id: string): Promise<ListedMail> {
  const found = await findMail(db, id);
  if (found === undefined) throw new Error(`no mail ${id}`);
  return found;
}

/** Trusts the certificate of `withMailServer`, unless told. */
export function mailSettingsFor(port: number, more: Partial<MailSettings> = {}): MailSettings {
  const directory = mkdtempSync(join(tmpdir(), 'quittance-mail-'));
  const authorityFile = join(directory, 'authority.pem');
  writeFileSync(authorityFile, loopbackShopCertificate);
  return {
    host: '127.0.0.1',
    port,
    isTlsFromStart: false,
    tls: 'required',
    user: undefined,
    password: undefined,
    passwordFile: undefined,
    authorityFile,
    from: { name: 'The Shop', address: 'pay@shop.test' },
    dkim: undefined,
    ...more,
  };
}
