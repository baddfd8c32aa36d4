// The loops of the role `deliver`: webhooks and mails leave.

import { apiSecretForWebhook } from '#access/api-key.ts';
import { startDelivery } from '#event/start-delivery.ts';
import { webhookEndpointSecrets } from '#event/webhook-endpoint.ts';
import { startMail } from '#mail/send-mails.ts';
import { openSmtp } from '#mail/smtp.ts';
import { webhookSecrets } from '#merchant/merchant-secret.ts';
import { billLetter } from '#pages/letters/bill-letter.ts';
import { customerLetter } from '#pages/letters/customer-letter.ts';
import { staffLetter } from '#pages/letters/staff-letter.ts';
import type { Loop } from '#runtime/loop.ts';
import { startStatusMails } from '#status-mail/follow-events.ts';
import type { App } from './app.ts';
import { targetRules } from './webhook-targets.ts';

export function deliver(app: App): Loop {
  return startDelivery(
    {
      ...app,
      secrets: {
        webhookSecrets: (merchantId, environment, now) =>
          webhookSecrets(app, merchantId, environment, now),
        apiSecret: (apiKey, now) => apiSecretForWebhook(app, apiKey, now),
        endpointSecrets: (endpointId, now) => webhookEndpointSecrets(app, endpointId, now),
      },
      targets: targetRules(app.config),
      onAttempt: ({ state }) => app.meters.deliveries.add({ outcome: OUTCOMES[state] }),
    },
    { wake: app.wakes.deliver },
  );
}

const OUTCOMES = {
  DELIVERED: 'delivered',
  PENDING: 'retry',
  PARKED: 'parked',
  DISABLED: 'disabled',
} as const;

export function sendMails(app: App): Loop[] {
  const { mail } = app.config;
  if (mail === undefined) return [];
  const telling = {
    ...app,
    ...{ writeCustomerLetter: customerLetter, writeStaffLetter: staffLetter },
    writeBillLetter: billLetter,
  };
  const counting = {
    ...app,
    onMail: (outcome: string) => app.meters.mails.add({ outcome }),
  };
  return [startStatusMails(telling), startMail(counting, openSmtp(mail))];
}
