// What an alert says, and the form in which each channel takes it. Pure. The forms are those of the
// channels: ntfy takes JSON at its root (docs.ntfy.sh, "Publish as JSON"), Telegram plain text at
// sendMessage (core.telegram.org/bots/api), at most 4096 characters of it.

import type { AlertMessage, NewMessage } from './alert.ts';
import { ALERT_RULES } from './alert-kinds.ts';
import type { Alert, AlertStage } from './decide-alerts.ts';

type Said = Pick<NewMessage, 'title' | 'detail' | 'happenedAt'>;

const DETAIL_MOST = 1_000;

export function sayAlert(stage: AlertStage, alert: Alert): Said {
  const { kind, subject, beganAt, absentSince } = alert;
  const about = subject === '' ? '' : `: ${subject}`;
  const title = `${ALERT_RULES[kind].title}${about}`;
  const detail = cut(alert.detail);
  const since = `since ${beganAt.toString({ smallestUnit: 'second' })}`;
  switch (stage) {
    case 'ON':
      return { title, detail: `${detail} (${since})`, happenedAt: beganAt };
    case 'REMINDER':
      return { title: `Still: ${title}`, detail: `${detail} (${since})`, happenedAt: beganAt };
    case 'OFF':
      return {
        title: `Over: ${title}`,
        detail: `It was so ${since}. Last: ${detail}`,
        happenedAt: absentSince ?? beganAt,
      };
  }
}

function cut(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= DETAIL_MOST
    ? line
    : `${characters.slice(0, DETAIL_MOST - 1).join('')}…`;
}

type Wording = Pick<
  AlertMessage,
  'id' | 'stage' | 'kind' | 'subject' | 'title' | 'detail' | 'happenedAt'
>;

export function webhookBody(message: Wording, publicUrl: string): string {
  const { id, stage, kind, subject, title, detail, happenedAt } = message;
  const at = happenedAt.toString();
  return JSON.stringify({ id, stage, kind, subject, title, detail, at, installation: publicUrl });
}

const NTFY_PRIORITY = { ON: 4, REMINDER: 4, OFF: 3, TEST: 3 } as const;
const NTFY_TAG = {
  ON: 'rotating_light',
  REMINDER: 'alarm_clock',
  OFF: 'white_check_mark',
  TEST: 'wave',
} as const;

export function ntfyBody(message: Wording, topic: string, publicUrl: string): string {
  const { stage, title, detail } = message;
  return JSON.stringify({
    topic,
    title,
    message: detail,
    priority: NTFY_PRIORITY[stage],
    tags: [NTFY_TAG[stage]],
    click: operatorPage(publicUrl),
  });
}

const TELEGRAM_MOST = 4_096;

export function telegramBody(message: Wording, chat: string, publicUrl: string): string {
  const text = `${message.title}\n${message.detail}\n${operatorPage(publicUrl)}`;
  return JSON.stringify({
    chat_id: chat,
    text: [...text].slice(0, TELEGRAM_MOST).join(''),
    link_preview_options: { is_disabled: true },
  });
}

export function operatorPage(publicUrl: string): string {
  return `${publicUrl}/dashboard/operator`;
}
