// What can be looked at from the settings alone, before there is a database: `npx quittance setup`
// asks it of settings that nobody uses yet, `doctor` and the dashboard of those in use.

import type { Clock } from '#base/clock.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { counted } from '#base/text.ts';
import { type MailSettings, openSmtp } from '#mail/smtp.ts';
import { createPriceSources } from '#rates/refresh-rates.ts';
import { checkClock, checkPermissions, checkRoom } from './check-machine.ts';
import { addressesBy, checkSite } from './check-site.ts';
import type { Finding } from './finding.ts';

type LookedAt = {
  readonly publicUrl: string;
  readonly dnsServers: readonly string[];
  readonly dataDirectory: string;
  readonly keyFile: string;
  readonly settingsFile: string;
  readonly priceSources: readonly string[] | 'all';
  readonly mail: MailSettings | undefined;
};

/** Asks servers, which may take seconds. `isRunning`: a server is to answer at the public URL. */
export async function checkUp(
  settings: LookedAt,
  { clock, isRunning }: { readonly clock: Clock; readonly isRunning: boolean },
): Promise<Finding[]> {
  const { publicUrl, dnsServers, dataDirectory, keyFile, settingsFile } = settings;
  const asksOutside = settings.priceSources.length > 0;
  const findings = await Promise.all([
    checkSite(publicUrl, { clock, isRunning, findAddresses: addressesBy(dnsServers) }),
    asksOutside ? checkPrices(settings.priceSources, clock) : NO_PRICES,
    asksOutside ? checkClock({ clock }) : [],
    checkRoom(dataDirectory),
    checkPermissions([keyFile, settingsFile]),
    checkMail(settings.mail),
  ]);
  return findings.flat();
}

const NO_PRICES: Finding = {
  ok: true,
  what: 'prices',
  detail: 'no source is asked: live checkouts are offered only where nothing is converted',
};
const PRICES_WITHIN_MS = 12_000;
/** As many as a price needs (rates/median-price.ts). */
const SOURCES_LEAST = 3;

type Answered = { readonly name: string; readonly fault: string | undefined };

async function checkPrices(names: LookedAt['priceSources'], clock: Clock): Promise<Finding> {
  const known = createPriceSources({ clock });
  const asked = known.filter(({ name }) => names === 'all' || names.includes(name));
  const signal = AbortSignal.timeout(PRICES_WITHIN_MS);
  const answers = asked.map(async (source): Promise<Answered> => {
    const fault = await source.fetchPrices(signal).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    return { name: source.name, fault };
  });
  return decidePrices(await Promise.all(answers));
}

export function decidePrices(answers: readonly Answered[]): Finding {
  const what = 'prices';
  const failed = answers.flatMap(({ fault }) => fault ?? []);
  const answered = answers.filter(({ fault }) => fault === undefined).map(({ name }) => name);
  const away = failed.length === 0 ? '' : `; away: ${failed.join('; ')}`;
  if (answered.length >= SOURCES_LEAST) {
    return { ok: true, what, detail: `${answered.join(', ')} answer${away}` };
  }
  const detail =
    `${counted(answered.length, 'source')} of ${answers.length} answered and ` +
    `${SOURCES_LEAST} are needed, so nothing is converted: may this machine call out by https, ` +
    `and does PRICE_SOURCES name enough?${away}`;
  return { ok: false, what, detail };
}

/** Whether the mail server lets us in. */
async function checkMail(mail: MailSettings | undefined): Promise<Finding> {
  const what = 'mail';
  if (mail === undefined) return { ok: true, what, detail: 'not set up: none is sent' };
  let smtp: ReturnType<typeof openSmtp> | undefined;
  try {
    smtp = openSmtp(mail);
    await smtp.check();
    return { ok: true, what, detail: `sent by ${mail.host} as ${mail.from.address}` };
  } catch (error) {
    if (!(error instanceof Outage) && !(error instanceof Refusal)) throw error;
    return { ok: false, what, detail: `${error.message}; mails wait` };
  } finally {
    smtp?.close();
  }
}
