// What waits for a second person, and his word: another key than the one that made it.
import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { fields, textUpTo } from '#money/exact-schema.ts';
import { approvalView, approveAct, listWaiting } from '#spending/approval.ts';

const SUBJECT_MAX = 100;

const approvalSchema = z.object({
  /** `transfer:<id>`, also of the transfer that carries a refund. */
  subject: z.string(),
  environment: z.string(),
  merchantId: z.string().nullable(),
  about: z.string(),
  maker: z.string().nullable(),
  askedAt: z.string(),
  waitsUntil: z.string(),
  approver: z.string().nullable(),
  approvedAt: z.string().nullable(),
});

export const getApprovals = protectedEndpoint({
  method: 'GET',
  path: '/approvals',
  auth: 'read',
  scope: 'approve',
  summary: 'What waits for a second approver, because it is above the limit TWO_PEOPLE',
  response: z.object({ approvals: z.array(approvalSchema) }),
  async handle(app, { caller }) {
    const waiting = await listWaiting(app.db, { owner: caller, now: app.clock.now() });
    return { approvals: waiting.map(approvalView) };
  },
});

export const postApproval = protectedEndpoint({
  method: 'POST',
  path: '/approval',
  auth: 'money',
  scope: 'approve',
  summary: 'Approve what another key made; it is sent soon after, and not before',
  request: fields({ subject: textUpTo(SUBJECT_MAX) }),
  response: z.object({ approval: approvalSchema }),
  async handle(app, { caller }, { subject }) {
    const approver = `key ${caller.apiKey}`;
    return { approval: approvalView(await approveAct(app, subject, { approver, owner: caller })) };
  },
});
