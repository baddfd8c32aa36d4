// Whom alerts are told, and what else they look at. Tokens lie in files; an address of a webhook or
// a topic of ntfy is as good as a password and is never said again.

import { resolve } from 'node:path';
import type { AlertTargets } from '#alert/send-alerts.ts';
import type { AlertReceivers } from '#alert/tell-alert.ts';
import { Refusal } from '#base/refusal.ts';
import { isEmail, isHttpUrl } from '#base/text.ts';
import { findAsset } from '#catalog/asset.ts';
import { type ChainId, chainOf } from '#catalog/chain.ts';
import { findNetwork } from '#catalog/network.ts';
import { type Decimal, tryParseDecimal } from '#money/decimal.ts';
import { readPrivateFile } from '#runtime/private-file.ts';
import { STRICT_TARGET_RULES, type TargetRules } from '#webhook/target-guard.ts';

export type AlertSettings = AlertReceivers & {
  /** Touched by whoever backs up, and how old it may be. */
  readonly backup: { readonly file: string; readonly hours: number } | undefined;
  /** What is to lie at our addresses at least. */
  readonly balances: readonly LeastBalance[];
};

export type LeastBalance = {
  readonly chain: ChainId;
  readonly assetId: string;
  readonly least: Decimal;
};

type Read = {
  readonly directory: string;
  readonly faults: string[];
  readonly text: (name: string) => string;
};

const TOKEN_BYTES_MOST = 4_096;
const TELEGRAM = 'https://api.telegram.org';
const HOURS_MOST = 100_000;

export function alertSettings(
  directory: string,
  faults: string[],
  text: (name: string) => string,
): AlertSettings {
  const read = { directory, faults, text };
  const mailTo = listOf(text('ALERT_MAIL'));
  for (const one of mailTo) {
    if (!isEmail(one)) faults.push(`ALERT_MAIL: must be addresses of mail, not "${one}"`);
  }
  if (mailTo.length > 0 && text('SMTP_URL') === '') {
    faults.push('ALERT_MAIL: set, while SMTP_URL is not');
  }
  const targets = { webhook: webhookOf(read), ntfy: ntfyOf(read), telegram: telegramOf(read) };
  return {
    mailTo,
    targets,
    rules: rulesOf(targets, listOf(text('WEBHOOK_ALLOWED_TARGETS'))),
    backup: backupOf(read),
    balances: listOf(text('ALERT_BALANCES')).flatMap((one) => balanceOf(one, faults)),
  };
}

/**
 * The operator names them himself: he may have them over http and on any port, in his own network
 * where he allows for it. What is guarded is that nothing else is reached.
 */
function rulesOf({ webhook, ntfy }: AlertTargets, allowedRanges: readonly string[]): TargetRules {
  const urls = [webhook?.url, ntfy?.url].flatMap((url) => url ?? []);
  const ports = urls.map((url) => Number(new URL(url).port)).filter((port) => port !== 0);
  return { ...STRICT_TARGET_RULES, httpForLive: true, ports, allowedRanges };
}

function listOf(value: string): string[] {
  const parts = value.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

function webhookOf(read: Read): AlertTargets['webhook'] {
  const url = urlOf(read, 'ALERT_WEBHOOK_URL');
  const token = tokenOf(read, 'ALERT_WEBHOOK_TOKEN_FILE', url !== undefined);
  return url === undefined ? undefined : { url: url.href, token };
}

/** The last part of the path is the topic; what is before it takes JSON. */
function ntfyOf(read: Read): AlertTargets['ntfy'] {
  const url = urlOf(read, 'ALERT_NTFY_URL');
  const token = tokenOf(read, 'ALERT_NTFY_TOKEN_FILE', url !== undefined);
  if (url === undefined) return undefined;
  const [, base = '', topic = ''] = /^(.*\/)([\w-]{1,64})\/?$/.exec(url.pathname) ?? [];
  if (topic === '') {
    read.faults.push('ALERT_NTFY_URL: must be of the form https://ntfy.example/topic');
  }
  return { url: `${url.origin}${base}`, topic, token };
}

function telegramOf(read: Read): AlertTargets['telegram'] {
  const chat = read.text('ALERT_TELEGRAM_CHAT');
  const token = tokenOf(read, 'ALERT_TELEGRAM_TOKEN_FILE', chat !== '');
  if (chat === '') return undefined;
  if (!/^(?:-?\d{1,20}|@\w{5,32})$/.test(chat)) {
    read.faults.push(
      'ALERT_TELEGRAM_CHAT: must be the number of a chat, or the @name of a channel',
    );
  }
  if (token === undefined) {
    read.faults.push('ALERT_TELEGRAM_TOKEN_FILE: missing, while ALERT_TELEGRAM_CHAT is set');
  } else if (!/^\d{1,20}:[\w-]{10,100}$/.test(token)) {
    read.faults.push(
      'ALERT_TELEGRAM_TOKEN_FILE: must hold the token of a bot, as @BotFather says it',
    );
  }
  return { origin: TELEGRAM, chat, token: token ?? '' };
}

function urlOf({ text, faults }: Read, name: string): URL | undefined {
  const value = text(name);
  if (value === '') return undefined;
  const url = isHttpUrl(value) ? new URL(value) : undefined;
  if (url !== undefined && url.username === '') return url;
  // What was typed may be as good as a password.
  faults.push(`${name}: must be an http or https address without a user`);
  return undefined;
}

function tokenOf(
  { directory, faults, text }: Read,
  name: string,
  isUsed: boolean,
): string | undefined {
  const path = text(name);
  if (path === '') return undefined;
  if (!isUsed) faults.push(`${name}: set, while what it is for is not`);
  try {
    const token = readPrivateFile(resolve(directory, path), TOKEN_BYTES_MOST).trim();
    if (!/^[\x21-\x7e]+$/.test(token)) faults.push(`${name}: must hold one word`);
    return token;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    faults.push(`${name}: ${error.details.join('; ')}`);
    return undefined;
  }
}

function backupOf({ directory, faults, text }: Read): AlertSettings['backup'] {
  const hours = text('ALERT_BACKUP_HOURS');
  const number = /^\d{1,6}$/.test(hours) ? Number(hours) : 0;
  if (number < 1 || number > HOURS_MOST) {
    faults.push(`ALERT_BACKUP_HOURS: must be a whole number from 1 to ${HOURS_MOST}`);
  }
  const file = text('ALERT_BACKUP_FILE');
  return file === '' ? undefined : { file: resolve(directory, file), hours: number };
}

/** `ETHEREUM/ETH:NATIVE=0.05`. */
function balanceOf(given: string, faults: string[]): LeastBalance[] {
  const [, network = '', assetId = '', amount = ''] = /^([^/=]+)\/([^=]+)=(.+)$/.exec(given) ?? [];
  const least = tryParseDecimal(amount);
  if (
    findNetwork(network) === undefined ||
    findAsset(assetId) === undefined ||
    least === undefined
  ) {
    faults.push(`ALERT_BALANCES: must be NETWORK/ASSET=amount, not "${given}"`);
    return [];
  }
  return [{ chain: chainOf('live', network), assetId, least }];
}
