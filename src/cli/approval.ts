// What waits for a second person, and his word.
import { type Approval, approvalView, approveAct, listWaiting } from '#spending/approval.ts';
import { type Command, onePositional, whoOf } from './command.ts';

export const approvalList: Command = {
  name: 'approval list',
  summary: 'what waits for a second person, because it is above the limit of one or lifts that',
  usage: '',
  options: {},
  async run(context) {
    const { db, clock } = await context.openApp();
    const waiting = await listWaiting(db, { now: clock.now() });
    const lines = waiting.map(approvalLine);
    if (waiting.length === 0) lines.push('Nothing waits for a second person.');
    return { text: lines.join('\n'), json: { approvals: waiting.map(approvalView) } };
  },
};

export const approvalGive: Command = {
  name: 'approval give',
  summary:
    'approve what somebody else made: a transfer is sent within a minute, all else is said again',
  usage: 'SUBJECT [--by NAME]',
  options: { by: { type: 'string' } },
  async run(context, { positionals, values }) {
    const subject = onePositional(positionals, 'which, as npx quittance approval list names it');
    const approval = await approveAct(await context.openApp(), subject, {
      approver: whoOf(values),
    });
    return { text: approvalLine(approval), json: { approval: approvalView(approval) } };
  },
};

function approvalLine(approval: Approval): string {
  const { subject, about, maker, waitsUntil, approver, approvedAt } = approvalView(approval);
  const state =
    approver === null ? `waits until ${waitsUntil}` : `approved by ${approver} at ${approvedAt}`;
  return `${subject}  ${about}\n    made by ${maker ?? 'nobody who is known'}, ${state}`;
}
